import type { Playlist } from '@escucho/contracts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { useT } from '#shared/i18n/i18n.ts';
import { lazyComponent } from '#shared/lazy.ts';
import { mergePages } from '#shared/pagination.ts';
import { paths } from '#shared/paths.ts';
import { Button } from '#shared/ui/button.tsx';
import { LazyBoundary } from '#shared/ui/lazy-boundary.tsx';
import { ShowMore } from '#shared/ui/load-more.tsx';
import { InlineError, LoadingStatus, Skeleton } from '#shared/ui/states.tsx';
import { favouritesQuery, playlistsQuery } from '../queries.ts';
import { PlaylistCover, usePlaylistTitle } from './playlist-cover.tsx';

const CreateDialog = lazyComponent(
  async () => (await import('./playlist-dialogs.tsx')).CreateDialog,
  'library',
  'auth',
);

const columns = 'grid grid-cols-2 gap-x-4 gap-y-6 sm:grid-cols-3 lg:grid-cols-5 2xl:grid-cols-8';

function PlaylistTile({ playlist }: { playlist: Playlist }) {
  const t = useT();
  return (
    <li>
      <Link to={paths.playlist(playlist._id)} className="block rounded-md">
        <PlaylistCover playlist={playlist} className="w-full" />
        <span className="mt-2.5 line-clamp-2 text-sm font-semibold wrap-anywhere">
          {usePlaylistTitle(playlist)}
        </span>
        <span className="block text-xs text-muted">{t.count('playlists.tracks', playlist.totalTracks)}</span>
      </Link>
    </li>
  );
}

function EmptyFavouritesTile() {
  const t = useT();
  return (
    <li>
      <PlaylistCover playlist={{ images: [], origin: 'auto' }} className="w-full border border-line" />
      <span className="mt-2.5 block text-sm font-semibold">{t('playlists.favourites')}</span>
      <span className="block text-xs text-muted">{t('playlists.emptyFavourites')}</span>
    </li>
  );
}

/** The favourites, the user's own playlists (CAT-05) and the button that creates one. */
export function PlaylistGrid() {
  const t = useT();
  const [isCreating, setCreating] = useState(false);
  const favourites = useQuery(favouritesQuery);
  const own = useInfiniteQuery(playlistsQuery());
  const playlists = mergePages(own.data?.pages);
  const isReady = own.data !== undefined && favourites.data !== undefined;
  const hasFailed = own.isError || favourites.isError || own.isPaused || favourites.isPaused;
  const retry = () => void Promise.all([own.refetch(), favourites.refetch()]);
  return (
    <section aria-labelledby="library-playlists">
      <div className="mb-4 flex min-h-11 flex-wrap items-center justify-between gap-2">
        <h2 id="library-playlists" className="heading text-lg">
          {t('playlists.yours')}
        </h2>
        <Button onClick={() => setCreating(true)} className="shrink-0 px-4">
          <Plus aria-hidden className="size-4" />
          {t('playlists.createTitle')}
        </Button>
      </div>
      {isReady ? (
        <ul className={columns}>
          {favourites.data ? <PlaylistTile playlist={favourites.data} /> : <EmptyFavouritesTile />}
          {playlists.map((playlist) => (
            <PlaylistTile key={playlist._id} playlist={playlist} />
          ))}
        </ul>
      ) : hasFailed ? (
        <InlineError text={t('playlists.listFailed')} onRetry={retry} />
      ) : (
        <LoadingStatus className={columns}>
          {['a', 'b'].map((name) => (
            <div key={name}>
              <Skeleton className="aspect-square" />
              <Skeleton className="mt-2.5 h-10 w-3/4" />
            </div>
          ))}
        </LoadingStatus>
      )}
      {isReady && <ShowMore query={own} className="mt-6" />}
      <LazyBoundary onFailed={() => setCreating(false)}>
        {isCreating && <CreateDialog onClose={() => setCreating(false)} />}
      </LazyBoundary>
    </section>
  );
}
