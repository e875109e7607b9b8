import type { Track } from '@escucho/contracts';
import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import {
  BookOpenText,
  EllipsisVertical,
  Heart as HeartIcon,
  HeartOff,
  ListEnd,
  ListPlus,
  ListStart,
  Share2,
} from 'lucide-react';
import { create } from 'zustand';
import { enqueue } from '#features/player/player.ts';
import { getT, useFormat, useT } from '#shared/i18n/i18n.ts';
import { lazyComponent } from '#shared/lazy.ts';
import { navigate } from '#shared/location.tsx';
import { paths } from '#shared/paths.ts';
import { IconButton } from '#shared/ui/button.tsx';
import { LazyBoundary } from '#shared/ui/lazy-boundary.tsx';
import { Menu } from '#shared/ui/menu.tsx';
import type { MenuEntry } from '#shared/ui/menu-popup.tsx';
import { toast, toastWithUndo } from '#shared/ui/toast.tsx';
import { useLike } from '../favourites.ts';
import { likedQuery } from '../queries.ts';

const PickerDialog = lazyComponent(
  async () => (await import('./picker-dialog.tsx')).PickerDialog,
  'library',
  'auth',
);

const usePicker = create<{ track: Track | null }>(() => ({ track: null }));

/** Opens the add-to-playlist dialog for a track (LIST-03). */
export const openPlaylistPicker = (track: Track): void => usePicker.setState({ track });

/** Closes the add-to-playlist dialog. */
export const closePlaylistPicker = (): void => usePicker.setState({ track: null });

/** The add-to-playlist dialog, where it is mounted; nothing until it is opened. */
export function PlaylistPicker() {
  const track = usePicker((picker) => picker.track);
  return (
    <LazyBoundary onFailed={closePlaylistPicker}>
      {track && <PickerDialog track={track} onClose={closePlaylistPicker} />}
    </LazyBoundary>
  );
}

/** The heart on a track (CAT-08). */
function HeartButton({ track, className }: { track: Track; className?: string }) {
  const t = useT();
  const { isLiked, toggle } = useLike(track);
  return (
    <IconButton
      label={t(isLiked ? 'playlists.unlike' : 'playlists.like', { title: track.title })}
      onClick={toggle}
      className={clsx(isLiked && 'text-accent-text!', className)}
    >
      <HeartIcon fill={isLiked ? 'currentColor' : 'none'} />
    </IconButton>
  );
}

function enqueueTrack(track: Track, at: 'next' | 'end'): void {
  const undo = enqueue(track, at);
  const text = at === 'next' ? 'playlists.playsNext' : 'playlists.queued';
  toastWithUndo(getT()(text, { title: track.title }), undo);
}

/** Shares the address of an article's page by the device's own means, or copies it. */
async function shareTrack({ _id, title }: Track): Promise<void> {
  const url = new URL(paths.article(_id), location.origin).href;
  try {
    if (typeof navigator.share === 'function') await navigator.share({ title, url });
    else {
      await navigator.clipboard.writeText(url);
      toast(getT()('playlists.linkCopied'));
    }
  } catch (error) {
    // The user closed the device's dialog.
    if (error instanceof DOMException && error.name === 'AbortError') return;
    toast(getT()('playlists.shareFailed', { url }), 'error');
  }
}

interface TrackMenuProps {
  track: Track;
  /** Entries of the list the track is shown in, such as removing it from there. */
  entries?: readonly MenuEntry[];
  className?: string;
}

/** Everything a user can do with a track but play it. */
function TrackMenu({ track, entries = [], className }: TrackMenuProps) {
  const t = useT();
  const { isLiked, toggle } = useLike(track);
  return (
    <Menu
      trigger={
        <IconButton label={t('playlists.more', { title: track.title })} className={className}>
          <EllipsisVertical />
        </IconButton>
      }
      items={() => [
        {
          id: 'next',
          label: t('playlists.playNext'),
          icon: <ListStart />,
          onSelect: () => enqueueTrack(track, 'next'),
        },
        {
          id: 'queue',
          label: t('playlists.queue'),
          icon: <ListEnd />,
          onSelect: () => enqueueTrack(track, 'end'),
        },
        {
          id: 'add',
          label: t('playlists.add'),
          icon: <ListPlus />,
          onSelect: () => openPlaylistPicker(track),
          opensDialog: true,
        },
        {
          id: 'like',
          label: t(isLiked ? 'playlists.unlikeShort' : 'playlists.likeShort'),
          icon: isLiked ? <HeartOff /> : <HeartIcon />,
          onSelect: toggle,
        },
        {
          id: 'article',
          label: t('playlists.toArticle'),
          icon: <BookOpenText />,
          onSelect: () => navigate(paths.article(track._id)),
        },
        {
          id: 'share',
          label: t('playlists.share'),
          icon: <Share2 />,
          onSelect: () => void shareTrack(track),
        },
        ...entries,
      ]}
    />
  );
}

/** The end of a row: heart, duration, menu. */
export function TrackRowTools({ track, entries }: { track: Track; entries: readonly MenuEntry[] }) {
  const format = useFormat();
  return (
    <>
      <HeartButton track={track} className="z-1 max-sm:hidden" />
      <span className="pointer-events-none w-12 text-right text-xs text-muted tabular-nums max-sm:hidden">
        {format.time(track.duration)}
      </span>
      <TrackMenu track={track} entries={entries} className="z-1 -mr-2" />
    </>
  );
}

/** The tools of a card: the heart in a corner of its cover, where it hides little of the picture; the menu beside its title. */
export const TrackCardTools = ({ track }: { track: Track }) => (
  <div className="pointer-events-none absolute inset-x-0 top-0 z-1 aspect-square [&>button]:pointer-events-auto">
    <HeartButton
      track={track}
      className="absolute! top-0 right-0 bg-surface/85 bg-clip-content p-2 [&_svg]:size-4!"
    />
    <TrackMenu track={track} className="absolute! top-full -right-2.5 mt-0.5" />
  </div>
);

/** Returns a track whose like is that of the user's favourites now. */
function useCurrentLike(track: Track): Track {
  const { data } = useQuery(likedQuery);
  if (!data) return track;
  const { ids, removed, isComplete } = data;
  const isOlder = !isComplete && track.like && !removed.includes(track._id);
  return { ...track, like: ids.includes(track._id) || isOlder };
}

/** The tools of a track in lists of the catalogue and on its page: heart and menu. */
export function TrackListTools({ track }: { track: Track }) {
  const current = useCurrentLike(track);
  return (
    <>
      <HeartButton track={current} />
      <TrackMenu track={current} />
    </>
  );
}

/** The tools of a track in the player: heart and add-to-playlist. */
export function TrackButtons({ track }: { track: Track }) {
  const t = useT();
  const current = useCurrentLike(track);
  return (
    <>
      <HeartButton track={current} />
      <IconButton
        label={t('playlists.addTrack', { title: track.title })}
        aria-haspopup="dialog"
        onClick={() => openPlaylistPicker(track)}
      >
        <ListPlus />
      </IconButton>
    </>
  );
}
