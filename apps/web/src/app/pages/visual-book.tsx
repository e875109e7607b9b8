import { Suspense } from 'react';
import { BookGrid } from '#features/articles/components/book-grid.tsx';
import { useT } from '#shared/i18n/i18n.ts';
import { lazyComponent } from '#shared/lazy.ts';
import { usePathParam } from '#shared/location.tsx';
import { LazyNotFound } from '../error-boundary.tsx';

const BookView = lazyComponent(
  async () => (await import('#features/articles/components/book-view.tsx')).BookView,
);

/** `/visual-book`: the illustrated books; `/visual-book/{id}`: one of them, page by page (CAT-06). */
export function VisualBookPage() {
  const t = useT();
  const id = usePathParam('id');
  if (id)
    return (
      <Suspense>
        <BookView key={id} id={id} missing={<LazyNotFound />} />
      </Suspense>
    );
  return (
    <>
      <h1 className="heading text-2xl">{t('shell.visualBooks')}</h1>
      <p className="mt-2 mb-8 text-muted">{t('books.text')}</p>
      <BookGrid />
    </>
  );
}
