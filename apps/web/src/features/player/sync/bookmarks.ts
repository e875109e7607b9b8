import type { Bookmark, BookmarkEntry, Track } from '@escucho/contracts';
import { useQuery } from '@tanstack/react-query';
import { createPersistedStore, onStorageChange } from '#shared/storage.ts';
import { withTabLock } from '#shared/tab-lock.ts';
import { createUuid } from '#shared/uuid.ts';
import { getCurrentPosition, usePlayer } from '../engine/store.ts';
import {
  addSent,
  type BookmarkState,
  type EntryPage,
  findSentSince,
  mergeBookmarks,
  mergeEntries,
  parseBookmarkStorage,
} from '../model/bookmark-changes.ts';
import { bookmarksQuery } from '../queries.ts';
import { getOwner, isOwner, isStoredOwner } from './progress-storage.ts';
import { createSendQueue, type SendResult } from './send-queue.ts';

/** Sends a bookmark to the server; null deletes it. */
export type SendBookmark = (id: string, bookmark: Bookmark | null) => Promise<SendResult>;

const emptyState: BookmarkState = { owner: null, pending: {}, tracks: {}, sent: {} };

const STORE_NAME = 'bookmarks-storage';

const useBookmarkStore = createPersistedStore<BookmarkState>({
  name: STORE_NAME,
  version: 1,
  initial: emptyState,
  partialize: ({ owner, pending, tracks }) => ({ owner, waiting: pending, tracks }),
  isShared: true,
  parse: parseBookmarkStorage,
});

/**
 * Reads the storage: other tabs write to the same queue. A change that is no longer in it was sent by another tab, after
 * this one may have requested its lists.
 */
function loadState(): BookmarkState {
  const before = useBookmarkStore.getState();
  void useBookmarkStore.persist.rehydrate();
  const { owner, pending } = useBookmarkStore.getState();
  const settled = Object.entries(before.pending).filter(([id]) => !Object.hasOwn(pending, id));
  if (owner === before.owner && settled.length > 0)
    useBookmarkStore.setState({ sent: addSent(before, Object.fromEntries(settled), performance.now()) });
  return useBookmarkStore.getState();
}

const isSame = (one: Bookmark | null | undefined, other: Bookmark | null): boolean =>
  one?.note === other?.note && one?.position === other?.position;

/** Removes a change that the server has accepted or rejected, unless the bookmark was changed again. */
function settleChange(id: string, bookmark: Bookmark | null, result: SendResult): void {
  useBookmarkStore.setState((state) => {
    const { [id]: current, ...otherChanges } = state.pending;
    const { [id]: _, ...otherTracks } = state.tracks;
    return {
      ...(isSame(current, bookmark) && { pending: otherChanges, tracks: otherTracks }),
      sent: result === 'accepted' ? addSent(state, { [id]: bookmark }, performance.now()) : state.sent,
    };
  });
}

async function sendNext(send: SendBookmark) {
  const { owner, pending } = loadState();
  const [next] = Object.entries(pending);
  if (!next || !isOwner(owner)) return 'empty';
  const [id, bookmark] = next;
  const result = await send(id, bookmark);
  if (result === 'retryLater') return 'failed';
  // Another user may have signed in since.
  if (isOwner(owner)) settleChange(id, bookmark, result);
  return 'settled';
}

// Of the requests of two tabs, the earlier one could arrive last.
const sendQueue = createSendQueue<SendBookmark>((send) => {
  const sendChange = () => sendNext(send);
  return withTabLock('bookmarks', sendChange, sendChange);
});

function queueChange(id: string, bookmark: Bookmark | null, track?: Track): void {
  if (!isOwner(loadState().owner)) return;
  useBookmarkStore.setState(({ pending, tracks }) => ({
    pending: { ...pending, [id]: bookmark },
    tracks: track ? { ...tracks, [id]: track } : tracks,
  }));
  void sendQueue.flush();
}

/** Saves a new or changed bookmark, here at once and on the server when it can be reached. */
export const saveBookmark = (bookmark: Bookmark): void => queueChange(bookmark._id, bookmark);

/** Saves the note of a bookmark, unless that was deleted or the user has signed out. */
export function saveNote(bookmark: Bookmark, note: string): void {
  if (getOwner() !== null && loadState().pending[bookmark._id] !== null) saveBookmark({ ...bookmark, note });
}

/** Deletes a bookmark here at once, and at the server when it can be reached. */
export const deleteBookmark = ({ _id }: Bookmark): void => queueChange(_id, null);

/** Adds a bookmark at the current position. Returns null when there is no active track. */
export function addBookmark(): Bookmark | null {
  const track = usePlayer.getState().activeTrack;
  if (!track) return null;
  const bookmark = {
    _id: createUuid(),
    track: track._id,
    position: getCurrentPosition(),
    note: '',
    createdAt: new Date().toISOString(),
  };
  queueChange(bookmark._id, bookmark, track);
  return bookmark;
}

/**
 * Clears the bookmarks of a user who has signed out, once their progress was cleared. Those of a user who has signed in in
 * another tab since stay.
 */
export function clearBookmarks(): void {
  const { owner } = loadState();
  if (owner !== null && isStoredOwner(owner)) useBookmarkStore.setState({ sent: {} });
  else useBookmarkStore.setState(emptyState);
}

/**
 * Starts sending the current user's changes, now and whenever the network is restored, and following those of other tabs.
 * @returns a function that stops it
 */
export function startBookmarkSync(send: SendBookmark): () => void {
  const owner = getOwner();
  if (loadState().owner !== owner) useBookmarkStore.setState({ ...emptyState, owner });
  const unsubscribe = onStorageChange((key) => {
    if (key === STORE_NAME) loadState();
  });
  const stop = sendQueue.start(send);
  return () => {
    unsubscribe();
    stop();
  };
}

/** Returns the user's bookmarks in a track, including those that the server does not have yet. */
export function useBookmarks(track: string) {
  const query = useQuery(bookmarksQuery(track));
  const { pending, sent } = useBookmarkStore();
  const { docs = [], requestedAt = 0 } = query.data ?? {};
  return { query, bookmarks: mergeBookmarks(track, docs, findSentSince(sent, requestedAt), pending) };
}

/** Returns the entries of the server's pages that a search finds, with the user's changes until now. */
export const getChangedEntries = (pages: readonly EntryPage[], q: string): BookmarkEntry[] =>
  mergeEntries(pages, q, useBookmarkStore.getState()).entries;

/** Returns the entries of the server's pages that a search finds, and their total, with the user's changes since then. */
export const useChangedEntries = (pages: readonly EntryPage[], q: string) =>
  mergeEntries(pages, q, useBookmarkStore());
