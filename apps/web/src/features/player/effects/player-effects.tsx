import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { getFormat, getT, useT } from '#shared/i18n/i18n.ts';
import { lazyImport } from '#shared/lazy.ts';
import { toast } from '#shared/ui/toast.ts';
import { dispatch, usePlayer } from '../engine/store.ts';
import { articleQuery } from '../queries.ts';
import { addBookmark, deleteBookmark } from '../sync/bookmarks.ts';
import { useMediaSession } from './use-media-session.ts';
import { useShortcuts } from './use-shortcuts.ts';

const ShortcutsHelp = lazy(lazyImport(() => import('../components/shortcuts-help.tsx')));

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
    const handlePageHide = () => dispatch({ type: 'pageHidden' });
    const handleVisibilityChange = () => {
      if (document.visibilityState === 'hidden') handlePageHide();
    };
    document.addEventListener('visibilitychange', handleVisibilityChange);
    addEventListener('pagehide', handlePageHide);
    return () => {
      document.removeEventListener('visibilitychange', handleVisibilityChange);
      removeEventListener('pagehide', handlePageHide);
    };
  }, []);
}

/** Loads the active track's sentences into the player (PLAY-08). */
function useArticleSentences(): void {
  const id = usePlayer(({ activeTrack }) => activeTrack?._id);
  const isActive = usePlayer(({ phase }) => phase === 'playing' || phase === 'paused');
  const { data } = useQuery({ ...articleQuery(id ?? ''), enabled: id !== undefined && isActive });
  useEffect(() => {
    if (!data || data._id !== id) return;
    const spans = data.sentences.map(({ start, end }) => ({ start, end }));
    dispatch({ type: 'sentencesLoaded', id: data._id, spans });
  }, [data, id]);
}

/** Adds a bookmark at the current position and shows a toast with an undo button. */
function addBookmarkWithToast(): void {
  const bookmark = addBookmark();
  if (!bookmark) return;
  const time = getFormat().time(bookmark.position);
  toast(getT()('tools.bookmarkAdded', { time }), 'success', 'top-right', {
    label: getT()('queue.undo'),
    run: () => deleteBookmark(bookmark),
  });
}

/** Connects the player to the page: title, shortcuts, media session and page lifecycle. Renders only the shortcuts' help. */
export function PlayerEffects() {
  const [isHelpOpen, setHelpOpen] = useState(false);
  const callbacks = useMemo(() => ({ help: () => setHelpOpen(true), bookmark: addBookmarkWithToast }), []);
  useDocumentTitle();
  useArticleSentences();
  useMediaSession();
  useShortcuts(callbacks);
  usePageHide();
  return isHelpOpen ? (
    <Suspense>
      <ShortcutsHelp onClose={() => setHelpOpen(false)} />
    </Suspense>
  ) : null;
}
