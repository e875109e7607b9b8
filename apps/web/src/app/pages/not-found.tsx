import { Link } from 'react-router';
import { useT } from '#shared/i18n/i18n.ts';
import { paths } from '#shared/paths.ts';
import { buttonClassName } from '#shared/ui/button.tsx';
import { LostPicture } from './pictures.tsx';

/** Nothing is here, and the way home (SHELL-11). */
export function NotFound() {
  const t = useT();
  return (
    <div className="mx-auto grid max-w-xl justify-items-center py-16 text-center">
      <div className="text-accent-text">
        <LostPicture />
      </div>
      <h1 className="mt-8 font-serif text-2xl font-semibold tracking-tight text-balance">
        {t('pages.notFoundTitle')}
      </h1>
      <p className="mt-3 text-muted text-pretty">{t('pages.notFoundText')}</p>
      <Link to={paths.discover} className={buttonClassName('solid', 'mt-8')}>
        {t('pages.toHome')}
      </Link>
    </div>
  );
}

/** The same, for addresses that belong to no layout. */
export const NotFoundPage = () => (
  <main className="grid min-h-dvh place-items-center px-4">
    <NotFound />
  </main>
);
