import { useParams } from 'react-router';
import { useT } from '../../shared/i18n/i18n.ts';
import { Coming } from './coming.tsx';
import { BookPicture, EchoRingsPicture } from './pictures.tsx';

export function ArticlesPage() {
  const t = useT();
  const { resource = '', arg } = useParams();
  if (resource.toLowerCase() !== 'search')
    return <Coming title="pages.articlesTitle" text="pages.articlesText" picture={<BookPicture />} />;
  return (
    <Coming title="pages.searchTitle" text="pages.searchText" picture={<EchoRingsPicture />}>
      {arg && (
        <p role="status" className="mt-3 max-w-full wrap-anywhere">
          {t('pages.searchFor', { term: arg })}
        </p>
      )}
    </Coming>
  );
}
