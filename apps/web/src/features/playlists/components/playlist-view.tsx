import { isSuitable, type Playlist, type Track } from '@escucho/contracts';
import { onlineManager, useQuery } from '@tanstack/react-query';
import { Ellipsis, Pencil, Play, Shuffle, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { chooseList, play } from '#features/player/player.ts';
import { getUser } from '#features/session/session.ts';
import { ApiError, isMissing } from '#shared/api/client.ts';
import { useFormat, useT } from '#shared/i18n/i18n.ts';
import { lazyComponent } from '#shared/lazy.ts';
import { mergePages } from '#shared/pagination.ts';
import { paths } from '#shared/paths.ts';
import { Button, buttonClassName, IconButton } from '#shared/ui/button.tsx';
import { LazyBoundary } from '#shared/ui/lazy-boundary.tsx';
import { Menu } from '#shared/ui/menu.tsx';
import { EmptyState, HeaderSkeleton, LoadingStatus, QueryFallback, Skeleton } from '#shared/ui/states.tsx';
import { toastError } from '#shared/ui/toast.tsx';
import { shuffle } from '../model/order.ts';
import { playlistQuery } from '../queries.ts';
import { usePlaylistTracks } from '../use-playlist-tracks.ts';
import { PlaylistCover, usePlaylistTitle } from './playlist-cover.tsx';
import { TrackList } from './track-list.tsx';

const OwnerDialog = lazyComponent(
  async () => (await import('./playlist-dialogs.tsx')).OwnerDialog,
  'library',
  'auth',
);

/** How many tracks "play all" queues at most, as the browser stores the queue: about a day of listening. */
const MAX_QUEUED_TRACKS = 500;

/** Shown both before the playlist is loaded and after, so that the layout does not shift in between. */
const tracksSkeleton = <Skeleton className="mt-8 h-64" />;

/** The menu of a playlist for its owner. */
function OwnerMenu({ playlist }: { playlist: Playlist }) {
  const t = useT();
  const [action, setAction] = useState<'rename' | 'delete' | null>(null);
  return (
    <>
      <Menu
        trigger={
          <IconButton label={t('playlists.options', { name: playlist.name })}>
            <Ellipsis />
          </IconButton>
        }
        items={() => [
          {
            id: 'rename',
            label: t('playlists.rename'),
            icon: <Pencil />,
            onSelect: () => setAction('rename'),
            opensDialog: true,
          },
          {
            id: 'delete',
            label: t('playlists.delete'),
            icon: <Trash2 />,
            onSelect: () => setAction('delete'),
            opensDialog: true,
          },
        ]}
      />
      <LazyBoundary onFailed={() => setAction(null)}>
        {action && <OwnerDialog playlist={playlist} action={action} onClose={() => setAction(null)} />}
      </LazyBoundary>
    </>
  );
}

interface HeaderProps {
  playlist: Playlist;
  title: string;
  onPlay: (isShuffled: boolean) => void;
}

/** Cover, title, totals and the actions on the playlist as a whole (LIST-06). */
function PlaylistHeader({ playlist, title, onPlay }: HeaderProps) {
  const t = useT();
  const format = useFormat();
  const { totalTracks, totalDuration } = playlist;
  return (
    <header className="flex flex-col gap-5 sm:flex-row sm:items-end sm:gap-7">
      <PlaylistCover playlist={playlist} className="w-40 rounded-lg shadow-pop sm:w-52" />
      <div className="min-w-0">
        <p className="text-sm font-semibold text-accent-text">{t(`playlists.kind_${playlist.origin}`)}</p>
        <h1 className="mt-1 heading text-2xl wrap-anywhere text-balance">{title}</h1>
        <p className="mt-2 text-muted">
          {t.count('playlists.tracks', totalTracks)}
          {totalTracks > 0 && ` · ${format.duration(totalDuration)}`}
        </p>
        <div className="mt-5 flex flex-wrap items-center gap-3 max-[22rem]:gap-x-1">
          {totalTracks > 0 && (
            <>
              <Button variant="solid" onClick={() => onPlay(false)} className="max-sm:px-4 max-[22rem]:px-3">
                <Play aria-hidden className="size-4" fill="currentColor" />
                {t('playlists.playAll')}
              </Button>
              <Button onClick={() => onPlay(true)} className="max-sm:px-4 max-[22rem]:px-3">
                <Shuffle aria-hidden className="size-4" />
                {t('playlists.shuffle')}
              </Button>
            </>
          )}
          {playlist.origin === 'user' && <OwnerMenu playlist={playlist} />}
        </div>
      </div>
    </header>
  );
}

/** Returns the result of a request, or null without a network, for which the request would wait. */
async function fetchOnline<Result>(request: () => Promise<Result>): Promise<Result | null> {
  if (!onlineManager.isOnline()) return null;
  let unsubscribe = () => {};
  const offline = new Promise<null>((resolve) => {
    unsubscribe = onlineManager.subscribe((isOnline) => isOnline || resolve(null));
  });
  return Promise.race([request(), offline]).finally(unsubscribe);
}

function PlaylistDetails({ playlist }: { playlist: Playlist }) {
  const t = useT();
  const title = usePlaylistTitle(playlist);
  const list = usePlaylistTracks(playlist);
  const { query, items: tracks } = list;
  const source = { name: playlist.name, playlist: playlist._id };
  const isOwn = playlist.origin !== 'system';

  /**
   * Returns the tracks to queue: those that are loaded, and further pages up to the limit. Shows an error when none load.
   */
  const loadTracksToQueue = async (): Promise<readonly Track[]> => {
    const fetchNext = () => fetchOnline(() => query.fetchNextPage());
    // Without any page yet, the first one is the next.
    let result = query.data ? query : await fetchNext();
    let found = mergePages(result?.data?.pages);
    while (result?.hasNextPage && !result.isError && found.length < MAX_QUEUED_TRACKS) {
      result = await fetchNext();
      if (result?.data) found = mergePages(result.data.pages);
    }
    const error = result ? result.error : new ApiError('network', 0);
    if (found.length === 0 && error) toastError(error);
    return found;
  };
  /** Plays all tracks once they are loaded, unless something else was chosen since. */
  const playAll = async (isShuffled: boolean): Promise<void> => {
    const isCurrent = chooseList();
    const all = await loadTracksToQueue();
    if (!isCurrent()) return;
    if (!isShuffled) return play(source, all, 0, { isOwn });
    const shuffled = shuffle(all, Math.random);
    // After a first track that does not suit the learner, the player goes on with those like it.
    const learning = isOwn ? undefined : getUser()?.learning;
    const suitable = shuffled.filter((track) => learning && isSuitable(track, learning));
    play(source, suitable.length > 0 ? suitable : shuffled, 0, { isOwn, restart: true });
  };
  return (
    <>
      <PlaylistHeader playlist={playlist} title={title} onPlay={(isShuffled) => void playAll(isShuffled)} />
      {query.data && tracks.length === 0 && !list.hasNotice ? (
        <EmptyState
          title={t('playlists.emptyTitle')}
          text={t(playlist.origin === 'auto' ? 'playlists.emptyFavourites' : 'playlists.emptyText')}
          action={
            <Link to={paths.discover} className={buttonClassName('solid')}>
              {t('playlists.toDiscover')}
            </Link>
          }
        />
      ) : query.data ? (
        <TrackList playlist={playlist} title={title} list={list} />
      ) : (
        <QueryFallback query={query} loading={tracksSkeleton} />
      )}
    </>
  );
}

interface Props {
  id: string;
  /** Shown where there is no such playlist (LIST-07). */
  missing: ReactNode;
}

/** A playlist's page (LIST-06): a system playlist to play, the user's own to edit as well. */
export function PlaylistView({ id, missing }: Props) {
  const t = useT();
  const query = useQuery(playlistQuery(id));
  const { data, error } = query;
  // Another device may have deleted it since.
  if (data && !isMissing(error)) return <PlaylistDetails key={data._id} playlist={data} />;
  return (
    <QueryFallback
      query={query}
      title={t('playlists.failedTitle')}
      missing={missing}
      loading={
        <LoadingStatus>
          <HeaderSkeleton />
          {tracksSkeleton}
        </LoadingStatus>
      }
    />
  );
}
