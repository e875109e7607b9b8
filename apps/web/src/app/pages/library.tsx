import { useQuery } from '@tanstack/react-query';
import { Bookmark } from 'lucide-react';
import { Link } from 'wouter';
import { ContinueSection } from '#features/catalogue/components/continue-section.tsx';
import { discoverQuery } from '#features/catalogue/queries.ts';
import { PlaylistGrid } from '#features/playlists/components/playlist-grid.tsx';
import { useSession } from '#features/session/session.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { lazyComponent } from '#shared/lazy.ts';
import { paths } from '#shared/paths.ts';
import { buttonClassName } from '#shared/ui/button.tsx';
import { LazySection } from '#shared/ui/lazy-boundary.tsx';
import { Skeleton } from '#shared/ui/states.tsx';

// Below the fold.
const Statistics = lazyComponent(
  async () => (await import('#features/history/components/statistics.tsx')).Statistics,
  'settings',
);
const History = lazyComponent(
  async () => (await import('#features/history/components/history.tsx')).History,
  'library',
);

/** Continue listening, with what other devices have begun. */
function Continue({ userId }: { userId: string }) {
  const { data, isFetched, isPaused } = useQuery(discoverQuery(userId));
  return <ContinueSection rows={data?.rows ?? []} isLoading={!isFetched && !isPaused} />;
}

/** The library (CAT-05): playlists with the favourites, continue listening, statistics and history. */
export function LibraryPage() {
  const t = useT();
  const { user } = useSession();
  return (
    <>
      <div className="mb-6 flex flex-wrap items-center justify-between gap-3">
        <h1 className="heading text-2xl">{t('playlists.libraryTitle')}</h1>
        <Link to={paths.bookmarks} className={buttonClassName('soft')}>
          <Bookmark aria-hidden className="size-4" />
          {t('bookmarks.title')}
        </Link>
      </div>
      {/* How high a section is is not known before it is loaded, and would move what is below. */}
      <div className="grid grid-cols-1 gap-10 [&>:is(.skeleton,:has(.skeleton))~*]:hidden">
        <PlaylistGrid />
        {user && <Continue userId={user._id} />}
        <LazySection fallback={<Skeleton className="h-40" />}>
          <Statistics />
        </LazySection>
        <LazySection fallback={<Skeleton className="h-40" />}>
          <History />
        </LazySection>
      </div>
    </>
  );
}
