import { limits, type Playlist, type Track } from '@escucho/contracts';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Check, Plus } from 'lucide-react';
import { type UIEvent, useState } from 'react';
import { getT, useT } from '#shared/i18n/i18n.ts';
import { mergePages } from '#shared/pagination.ts';
import { Button } from '#shared/ui/button.tsx';
import { Dialog, useIsMounted } from '#shared/ui/dialog.tsx';
import { InlineError, LoadingList, Skeleton } from '#shared/ui/states.tsx';
import { toast, toastError, toastWithUndo } from '#shared/ui/toast.tsx';
import { useDebounced } from '#shared/use-debounced.ts';
import { changePlaylist, createPlaylist, playlistsKey, playlistsQuery } from '../queries.ts';
import { PlaylistCover } from './playlist-cover.tsx';
import { NameForm } from './playlist-dialogs.tsx';

/** How far from the end of the list the next page is requested. */
const PREFETCH_DISTANCE_PX = 160;

/** Adds the track at once; the toast offers to undo it where the playlist did not have the track before. */
function useAddTrack(playlist: Playlist, track: Track) {
  const client = useQueryClient();
  const [isAdded, setAdded] = useState(false);
  const change = async (name: 'articles.added' | 'articles.removed') => {
    setAdded(name === 'articles.added');
    try {
      return await changePlaylist(playlist, { [name]: track._id });
    } catch (error) {
      setAdded(name !== 'articles.added');
      toastError(error);
      return null;
    } finally {
      void client.invalidateQueries({ queryKey: playlistsKey });
    }
  };
  const add = async () => {
    const changed = await change('articles.added');
    if (!changed) return;
    const text = getT()('playlists.added', { name: changed.name });
    if (changed.addedTracks > 0) toastWithUndo(text, () => void change('articles.removed'));
    else toast(text);
  };
  return { isAdded, add };
}

function PickerRow({ playlist, track }: { playlist: Playlist; track: Track }) {
  const t = useT();
  const { isAdded, add } = useAddTrack(playlist, track);
  const { name } = playlist;
  const Icon = isAdded ? Check : Plus;
  return (
    <li className="flex items-center gap-3 rounded-md py-1.5 pr-1">
      <PlaylistCover playlist={playlist} className="size-11 rounded-sm" />
      <span className="min-w-0 flex-1">
        <span className="block truncate text-sm font-medium">{name}</span>
        <span className="block text-xs text-muted">{t.count('playlists.tracks', playlist.totalTracks)}</span>
      </span>
      <Button
        aria-label={isAdded ? `${name}: ${t('playlists.isIn')}` : t('playlists.addTo', { name })}
        aria-disabled={isAdded}
        onClick={() => !isAdded && void add()}
        className="size-11 shrink-0 px-0! aria-disabled:text-success"
      >
        <Icon aria-hidden className="size-5" />
      </Button>
    </li>
  );
}

/** The playlists that match the search, or why there are none. */
function PickerRows({ text, track }: { text: string; track: Track }) {
  const t = useT();
  const query = useInfiniteQuery(playlistsQuery(text));
  const { data, isError, isPaused, hasNextPage, isFetchingNextPage } = query;
  const playlists = mergePages(data?.pages);
  const onScroll = ({ currentTarget: box }: UIEvent) => {
    const isNearEnd = box.scrollTop + box.clientHeight > box.scrollHeight - PREFETCH_DISTANCE_PX;
    if (isNearEnd && hasNextPage && !isFetchingNextPage && !isError) void query.fetchNextPage();
  };
  // All that are loaded may be requested again, too.
  const failed = (isError || isPaused) && (!data || hasNextPage) && (
    <InlineError
      text={t(data ? 'common.moreFailed' : 'playlists.listFailed')}
      onRetry={() => void (data ? query.fetchNextPage() : query.refetch())}
      className="grid justify-items-center gap-3 py-6 text-center text-sm text-muted"
    />
  );
  return (
    <div onScroll={onScroll} className="-mx-2 mt-3 h-72 overflow-y-auto overscroll-contain px-2">
      {!data && !failed && <LoadingList count={4} itemClassName="h-12" className="grid gap-3 py-1.5" />}
      {playlists.length > 0 && (
        <ul aria-label={t('playlists.yours')}>
          {playlists.map((playlist) => (
            <PickerRow key={playlist._id} playlist={playlist} track={track} />
          ))}
        </ul>
      )}
      {data && playlists.length === 0 && (
        <p role="status" className="grid gap-1 py-12 text-center text-sm text-muted text-balance">
          {text.trim() === '' ? (
            <>
              <strong className="font-serif text-base font-semibold text-ink">
                {t('playlists.noneTitle')}
              </strong>
              {t('playlists.noneText')}
            </>
          ) : (
            t('playlists.noneFound')
          )}
        </p>
      )}
      {failed}
      {isFetchingNextPage && <Skeleton className="my-2 h-12" />}
    </div>
  );
}

/** The create button, the search box and the user's playlists (LIST-03). */
function PickerList({ track, onCreate }: { track: Track; onCreate: () => void }) {
  const t = useT();
  const [text, setText] = useState('');
  return (
    <>
      <p lang={track.language} className="-mt-3 mb-4 truncate text-sm text-muted">
        {track.title}
      </p>
      <Button onClick={onCreate} className="w-full">
        <Plus aria-hidden className="size-4" />
        {t('playlists.create')}
      </Button>
      <input
        type="search"
        aria-label={t('playlists.search')}
        placeholder={t('playlists.search')}
        value={text}
        maxLength={limits.search.maxLength}
        autoComplete="off"
        onChange={(event) => setText(event.currentTarget.value)}
        className="field mt-3"
      />
      <PickerRows text={useDebounced(text)} track={track} />
    </>
  );
}

/** The add-to-playlist dialog (LIST-03): the form for a new playlist replaces the list. */
export function PickerDialog({ track, onClose }: { track: Track; onClose: () => void }) {
  const t = useT();
  const client = useQueryClient();
  const [isCreating, setCreating] = useState(false);
  const isOpen = useIsMounted();
  const create = async (name: string, key: string) => {
    const created = await createPlaylist(name, key, track._id);
    void client.invalidateQueries({ queryKey: playlistsKey });
    toast(getT()('playlists.added', { name: created.name }));
    if (isOpen.current) onClose();
  };
  return (
    <Dialog title={t(isCreating ? 'playlists.createTitle' : 'playlists.add')} onClose={onClose}>
      {isCreating ? (
        <NameForm submitLabel={t('playlists.create')} onSubmit={create} onBack={() => setCreating(false)} />
      ) : (
        <PickerList track={track} onCreate={() => setCreating(true)} />
      )}
    </Dialog>
  );
}
