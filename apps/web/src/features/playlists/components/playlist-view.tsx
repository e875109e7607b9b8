import type { Playlist, Track } from '@escucho/contracts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { play, playAfresh } from '#features/player/player.ts';
import { ApiError } from '#shared/api/client.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { paths } from '#shared/paths.ts';
import { buttonLook } from '#shared/ui/button.tsx';
import { HeadSkeleton } from '#shared/ui/head-skeleton.tsx';
import { EchoPicture } from '#shared/ui/pictures.tsx';
import { Skeleton } from '#shared/ui/skeleton.tsx';
import { EmptyState, QueryFailed } from '#shared/ui/states.tsx';
import { shuffled } from '../model/order.ts';
import { playlistQuery } from '../queries.ts';
import { useTitle } from '../use-title.ts';
import { useTracks } from '../use-tracks.ts';
import { PlaylistHeader } from './playlist-header.tsx';
import { TrackList } from './track-list.tsx';

/** How many tracks "all" are for the queue, which the browser keeps: about a day of listening. */
const mostQueued = 500;

/** The same before the playlist is known and after, so that nothing jumps in between. */
const tracksToCome = <Skeleton className="mt-8 h-64" />;

function PlaylistSkeleton() {
  const t = useT();
  return (
    <div role="status">
      <span className="sr-only">{t('common.loading')}</span>
      <HeadSkeleton />
      {tracksToCome}
    </div>
  );
}

function Loaded({ playlist }: { playlist: Playlist }) {
  const t = useT();
  const title = useTitle(playlist);
  const list = useTracks(playlist);
  const { query, tracks } = list;
  const source = { name: playlist.name, playlist: playlist._id };

  /** The tracks to be queued: those that are loaded, and more if there are. */
  const gather = async (): Promise<readonly Track[]> => {
    let now = query;
    let found: readonly Track[] = tracks;
    while (now.hasNextPage && !now.isError && found.length < mostQueued) {
      now = await query.fetchNextPage();
      found = now.data?.pages.flatMap(({ docs }) => docs) ?? found;
    }
    return found;
  };
  return (
    <>
      <PlaylistHeader
        playlist={playlist}
        title={title}
        onPlay={() => void gather().then((all) => play(source, all, 0))}
        onShuffle={() => void gather().then((all) => playAfresh(source, shuffled(all, Math.random)))}
      />
      {query.data && tracks.length === 0 && !list.dropped ? (
        <EmptyState
          picture={<EchoPicture />}
          title={t('playlists.emptyTitle')}
          text={t(playlist.origin === 'auto' ? 'playlists.emptyFavourites' : 'playlists.emptyText')}
          action={
            <Link to={paths.discover} className={buttonLook('solid')}>
              {t('playlists.toDiscover')}
            </Link>
          }
        />
      ) : query.data ? (
        <TrackList playlist={playlist} title={title} list={list} />
      ) : query.isError || query.isPaused ? (
        <QueryFailed query={query} />
      ) : (
        tracksToCome
      )}
    </>
  );
}

/** A playlist by its id (LIST-06): system ones to look at and play, the reader's own to change. In: also what stands there when there is none (LIST-07). */
export function PlaylistView({ id, missing }: { id: string; missing: ReactNode }) {
  const t = useT();
  const query = useQuery(playlistQuery(id));
  const { data, error, isPaused } = query;
  if (data) return <Loaded key={data._id} playlist={data} />;
  const isMissing = error instanceof ApiError && ['not_found', 'invalid_request'].includes(error.code);
  if (isMissing) return missing;
  if (error || isPaused) return <QueryFailed query={query} title={t('playlists.failedTitle')} />;
  return <PlaylistSkeleton />;
}
