import { limits } from '@escucho/contracts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { useWindowEvent } from '#shared/document.ts';
import { getFormat, getT, useT } from '#shared/i18n/i18n.ts';
import { lazyComponent } from '#shared/lazy.ts';
import { paths } from '#shared/paths.ts';
import { usePreferences, useReadingPreferences } from '#shared/preferences.ts';
import { LazyBoundary } from '#shared/ui/lazy-boundary.tsx';
import { toastWithUndo } from '#shared/ui/toast.tsx';
import { dispatch, usePlayer } from '../engine/store.ts';
import { getPlaybackRate } from '../model/sound.ts';
import { articleQuery } from '../queries.ts';
import { addBookmark, deleteBookmark } from '../sync/bookmarks.ts';
import { findCommand, shortcuts } from './shortcuts.ts';

const Dialog = lazyComponent(async () => (await import('#shared/ui/dialog.tsx')).Dialog);

/** Sets the document's title to the playing track, or the app's name (SHELL-05). */
function useDocumentTitle(): void {
  const t = useT();
  const title = usePlayer(({ isPlaying, activeTrack }) => (isPlaying ? activeTrack?.title : undefined));
  useEffect(() => {
    document.title = title ?? t('common.appName');
  }, [title, t]);
}

/** Saves the progress when the page is hidden, because a hidden page may be discarded. */
function usePageHide(): void {
  useEffect(() => {
    const listeners = new AbortController();
    const save = ({ type }: Event) => {
      if (type === 'pagehide' || document.hidden) dispatch({ type: 'pageHidden' });
    };
    document.addEventListener('visibilitychange', save, { signal: listeners.signal });
    addEventListener('pagehide', save, { signal: listeners.signal });
    return () => listeners.abort();
  }, []);
}

/** Loads the active track's sentences into the player (PLAY-08). */
function useArticleSentences(): void {
  const id = usePlayer(({ activeTrack }) => activeTrack?._id);
  const isActive = usePlayer(({ phase }) => phase === 'playing' || phase === 'paused');
  const { data } = useQuery({ ...articleQuery(id ?? ''), enabled: id !== undefined && isActive });
  const sentences = data?._id === id ? data?.sentences : undefined;
  const spans = usePlayer((player) => player.spans);
  useEffect(() => {
    // Not only for another track: the same one may be played again after the queue was cleared.
    if (sentences && id && spans !== sentences) dispatch({ type: 'sentencesLoaded', id, spans: sentences });
  }, [sentences, spans, id]);
}

const { skipSeconds } = limits.player;

/** Goes to the next or previous track, or sentence if the user prefers that and the track has text (PLAY-08). */
function stepByMediaKey(direction: 1 | -1): void {
  const isBySentence =
    useReadingPreferences.getState().hasSentenceKeys && usePlayer.getState().spans.length > 0;
  if (isBySentence) dispatch({ type: 'stepSentence', direction });
  else if (direction > 0) dispatch({ type: 'next', removeFromContinue: true });
  else dispatch({ type: 'previous' });
}

const mediaHandlers: readonly (readonly [MediaSessionAction, MediaSessionActionHandler])[] = [
  ['play', () => dispatch({ type: 'play' })],
  ['pause', () => dispatch({ type: 'pause' })],
  ['stop', () => dispatch({ type: 'pause' })],
  ['nexttrack', () => stepByMediaKey(1)],
  ['previoustrack', () => stepByMediaKey(-1)],
  ['seekbackward', ({ seekOffset }) => dispatch({ type: 'skipBy', seconds: -(seekOffset ?? skipSeconds) })],
  ['seekforward', ({ seekOffset }) => dispatch({ type: 'skipBy', seconds: seekOffset ?? skipSeconds })],
  [
    'seekto',
    ({ seekTime }) => {
      if (seekTime !== undefined) dispatch({ type: 'seek', position: seekTime });
    },
  ],
];

function setMediaHandlers(session: MediaSession, isOn: boolean): void {
  for (const [action, handler] of mediaHandlers) {
    try {
      session.setActionHandler(action, isOn ? handler : null);
    } catch {
      // The browser does not support the action.
    }
  }
}

/** Connects the player to the lock screen, headphones and media keys (PLAY-07). */
function MediaSessionEffects({ session }: { session: MediaSession }) {
  const track = usePlayer((player) => player.activeTrack);
  const isPlaying = usePlayer((player) => player.isPlaying);
  const speed = usePlayer(getPlaybackRate);

  useEffect(() => {
    setMediaHandlers(session, true);
    return () => setMediaHandlers(session, false);
  }, [session]);

  const { title, artist, artwork, image } = track ?? {};
  useEffect(() => {
    if (typeof MediaMetadata === 'undefined') return;
    const images = [artwork, image].flatMap((src) =>
      src ? [{ src: new URL(src, location.href).href }] : [],
    );
    session.metadata =
      title === undefined ? null : new MediaMetadata({ title, artist: artist ?? '', artwork: images });
  }, [session, title, artist, artwork, image]);

  useEffect(() => {
    session.playbackState = !track ? 'none' : isPlaying ? 'playing' : 'paused';
  }, [session, track, isPlaying]);

  const duration = track?.duration;
  useEffect(() => {
    if (!duration) return;
    // The browser extrapolates the position; changes and saves of the player correct it.
    const updatePosition = ({ progress }: { progress: number }) =>
      session.setPositionState?.({ duration, playbackRate: speed, position: Math.min(progress, duration) });
    updatePosition(usePlayer.getState());
    return usePlayer.subscribe(updatePosition);
  }, [session, duration, speed]);
  return null;
}

const textFields =
  'input:not([type=range]), textarea, select, [contenteditable]:not([contenteditable=false])';
/** Elements that use the space bar. */
const pressables = 'button, a[href], summary, [role=tab]';
/** Elements that use the arrow keys. */
const arrowControls = 'input, [role=tablist]';
/** Elements in which a letter goes to the item that starts with it. */
const lists = '[role^=menu], [role=listbox]';

const isIn = (target: EventTarget | null, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null;

/** Commands that repeat while their key is held down. */
const repeatable: readonly string[] = ['skipBy', 'changeSpeed'];

/** Returns whether the focused element uses the key. */
function isUsedByTarget({ key, target }: KeyboardEvent): boolean {
  if (isIn(target, `${textFields}, ${lists}`)) return true;
  if (key === ' ') return isIn(target, pressables);
  return key.startsWith('Arrow') && isIn(target, arrowControls);
}

function addBookmarkWithToast(): void {
  const bookmark = addBookmark();
  if (!bookmark) return;
  const time = getFormat().time(bookmark.position);
  toastWithUndo(getT()('tools.bookmarkAdded', { time }), () => deleteBookmark(bookmark));
}

/** Handles the player's keyboard shortcuts (PLAY-07). */
function useShortcuts(setHelpOpen: (isOpen: true) => void): void {
  useWindowEvent('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isUsedByTarget(event))
      return;
    const { hasCharacterKeys } = usePreferences.getState();
    const command = findCommand({ key: event.key, shift: event.shiftKey }, hasCharacterKeys);
    if (!command || (event.repeat && !repeatable.includes(command.type))) return;
    event.preventDefault();
    if (command.type === 'help') setHelpOpen(true);
    else if (command.type === 'bookmark') addBookmarkWithToast();
    else dispatch(command);
  });
}

/** The dialog that lists the keyboard shortcuts (PLAY-07), opened by `?`. */
function ShortcutsHelp({ onClose }: { onClose: () => void }) {
  const t = useT();
  return (
    <Dialog title={t('tools.shortcuts')} onClose={onClose}>
      <dl className="grid gap-1">
        {shortcuts.map(({ keys, action }) => (
          <div
            key={action}
            className="flex min-h-11 items-center justify-between gap-6 border-b border-line last:border-0"
          >
            <dt className="text-sm">{t(`tools.${action}`)}</dt>
            <dd className="flex gap-1.5">
              {keys.map((key) => (
                <kbd
                  key={key}
                  className="grid min-w-8 place-items-center rounded-sm border border-line bg-overlay px-2 py-1 font-sans text-xs font-semibold"
                >
                  {key === 'space' ? t('tools.keySpace') : key.toUpperCase()}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <p className="mt-4 text-sm text-muted text-pretty">
        {t('tools.shortcutsHint')}{' '}
        <Link href={paths.settingsProfile} className="link inline-block" onClick={onClose}>
          {t('tools.shortcutsSettings')}
        </Link>
      </p>
    </Dialog>
  );
}

/** Connects the player to the page: title, shortcuts, media session and page lifecycle. Renders only the shortcuts' help. */
export function PlayerEffects() {
  const [isHelpOpen, setHelpOpen] = useState(false);
  useDocumentTitle();
  useArticleSentences();
  useShortcuts(setHelpOpen);
  usePageHide();
  const close = () => setHelpOpen(false);
  return (
    <>
      {'mediaSession' in navigator && <MediaSessionEffects session={navigator.mediaSession} />}
      <LazyBoundary onFailed={close}>{isHelpOpen && <ShortcutsHelp onClose={close} />}</LazyBoundary>
    </>
  );
}
