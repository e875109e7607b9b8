import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { ContinueShelf } from '#features/catalogue/components/continue-shelf.tsx';
import { discoverQuery } from '#features/catalogue/queries.ts';
import { PlaylistGrid } from '#features/playlists/components/playlist-grid.tsx';
import { useSession } from '#features/session/session.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { lazyComponent } from '#shared/lazy.ts';
import { Skeleton } from '#shared/ui/skeleton.tsx';

// They stand below what is seen first.
const Figures = lazyComponent(
  async () => (await import('#features/history/components/figures.tsx')).Figures,
  'settings',
);
const History = lazyComponent(
  async () => (await import('#features/history/components/history.tsx')).History,
  'library',
);

/** What the reader has begun; its rows say what may be heard without a subscription. */
function Begun({ reader }: { reader: string }) {
  const { data } = useQuery(discoverQuery(reader));
  return <ContinueShelf rows={data?.rows ?? []} />;
}

/** The library (CAT-05): playlists with the favourites, what was begun, what was heard. */
export function LibraryPage() {
  const t = useT();
  const { user } = useSession();
  return (
    <>
      <h1 className="mb-6 font-serif text-2xl font-semibold tracking-tight">{t('playlists.libraryTitle')}</h1>
      <div className="grid grid-cols-1 gap-10">
        <PlaylistGrid />
        {user && <Begun reader={user._id} />}
        <Suspense fallback={<Skeleton className="h-40" />}>
          <Figures />
        </Suspense>
        <Suspense fallback={<Skeleton className="h-40" />}>
          <History />
        </Suspense>
      </div>
    </>
  );
}
