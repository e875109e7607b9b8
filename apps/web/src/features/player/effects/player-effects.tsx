import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { getFormat, getT, useT } from '#shared/i18n/i18n.ts';
import { lazyImport } from '#shared/lazy.ts';
import { toast } from '#shared/ui/toast.ts';
import { dispatch } from '../engine/events.ts';
import { usePlayer } from '../engine/store.ts';
import { addBookmark, deleteBookmark } from '../sync/bookmarks.ts';
import { useArticleSentences } from './use-article-sentences.ts';
import { useMediaSession } from './use-media-session.ts';
import { useShortcuts } from './use-shortcuts.ts';

const ShortcutsHelp = lazy(lazyImport(() => import('../components/shortcuts-help.tsx')));

/** SHELL-05: the document is named after the track while one plays, and after the app otherwise. */
function useDocumentTitle(): void {
  const t = useT();
  const title = usePlayer(({ isPlaying, activeTrack }) => (isPlaying ? activeTrack?.title : undefined));
  useEffect(() => {
    document.title = title ?? t('common.appName');
  }, [title, t]);
}

/** A page put away may never come back: the place is saved while there is time. */
function usePageHide(): void {
  useEffect(() => {
    const hide = () => dispatch({ type: 'pageHidden' });
    const hidden = () => {
      if (document.visibilityState === 'hidden') hide();
    };
    document.addEventListener('visibilitychange', hidden);
    addEventListener('pagehide', hide);
    return () => {
      document.removeEventListener('visibilitychange', hidden);
      removeEventListener('pagehide', hide);
    };
  }, []);
}

/** Marks the place, says so, and offers to take it back. */
function addBookmarkWithToast(): void {
  const made = addBookmark();
  if (!made) return;
  const time = getFormat().time(made.position);
  toast(getT()('tools.bookmarkAdded', { time }), 'success', 'top-right', {
    label: getT()('queue.undo'),
    run: () => deleteBookmark(made),
  });
}

/** Ties the player to the page around it: its title, its keys, the lock screen, its end. Draws only the help sheet. */
export function PlayerEffects() {
  const [isHelpOpen, setHelpOpen] = useState(false);
  const others = useMemo(() => ({ help: () => setHelpOpen(true), bookmark: addBookmarkWithToast }), []);
  useDocumentTitle();
  useArticleSentences();
  useMediaSession();
  useShortcuts(others);
  usePageHide();
  return isHelpOpen ? (
    <Suspense>
      <ShortcutsHelp onClose={() => setHelpOpen(false)} />
    </Suspense>
  ) : null;
}
