import type { Bookmark } from '@escucho/contracts';
import { useQuery } from '@tanstack/react-query';
import { create } from 'zustand';
import { persistStore } from '#shared/storage.ts';
import { getCurrentPosition } from '../engine/position-source.ts';
import { usePlayer } from '../engine/store.ts';
import { bookmarksQuery } from '../queries.ts';
import { type BookmarkChanges, mergeBookmarks } from './merge-bookmarks.ts';
import { getOwner, isOwner } from './progress-storage.ts';
import type { SendResult } from './progress-sync.ts';
import { createSendQueue } from './send-queue.ts';
import { parseBookmarkStorage } from './stored-bookmarks.ts';
import { createUuid } from './uuid.ts';

/** Tells the server how a bookmark is now; null: it is deleted. */
export type SendBookmark = (id: string, bookmark: Bookmark | null) => Promise<SendResult>;

interface Kept {
  /** To whom it all belongs. */
  owner: string | null;
  waiting: BookmarkChanges;
  told: BookmarkChanges;
}

/** bookmarks-storage: what the server has not been told yet; `told` it has, in this visit. */
const useSaid = create<Kept>()(
  persistStore(
    {
      name: 'bookmarks-storage',
      version: 1,
      partialize: ({ owner, waiting }) => ({ owner, waiting }),
      parse: parseBookmarkStorage,
    },
    (): Kept => ({ owner: null, waiting: {}, told: {} }),
  ),
);

// Another tab says things of bookmarks as well: what is changed is what is kept, not what this tab remembers of it.
function refreshed(): Kept {
  void useSaid.persist.rehydrate();
  return useSaid.getState();
}

const isSame = (one: Bookmark | null | undefined, other: Bookmark | null): boolean =>
  one?.note === other?.note && one?.position === other?.position;

/** What was said of a bookmark is known there, or never will be: it waits no more, unless it was changed again meanwhile. */
function settle(id: string, bookmark: Bookmark | null, sent: SendResult): void {
  const { waiting, told } = refreshed();
  const { [id]: now, ...others } = waiting;
  useSaid.setState({
    waiting: isSame(now, bookmark) ? others : waiting,
    told: sent === 'accepted' ? { ...told, [id]: bookmark } : told,
  });
}

const sending = createSendQueue<SendBookmark>(async (send) => {
  const { owner, waiting } = refreshed();
  const [next] = Object.entries(waiting);
  if (!next || !isOwner(owner)) return false;
  const [id, bookmark] = next;
  const sent = await send(id, bookmark);
  if (sent === 'retryLater') return false;
  settle(id, bookmark, sent);
  return true;
});

function say(id: string, bookmark: Bookmark | null): void {
  const { owner, waiting } = refreshed();
  if (!isOwner(owner)) return;
  useSaid.setState({ waiting: { ...waiting, [id]: bookmark } });
  void sending.send();
}

/** Keeps a bookmark as it is now, and tells the server when it can be told. */
export const saveBookmark = (bookmark: Bookmark): void => say(bookmark._id, bookmark);

export const deleteBookmark = ({ _id }: Bookmark): void => say(_id, null);

/** Marks the place where the sound is. Out: the bookmark; null where nothing is heard. */
export function addBookmark(): Bookmark | null {
  const track = usePlayer.getState().activeTrack;
  if (!track) return null;
  const made = {
    _id: createUuid(),
    track: track._id,
    position: getCurrentPosition(),
    note: '',
    createdAt: new Date().toISOString(),
  };
  saveBookmark(made);
  return made;
}

/** Forgets everything: it belongs to a reader who has left. */
export function clearBookmarks(): void {
  useSaid.setState({ owner: null, waiting: {}, told: {} });
}

/** Says how the server is told, and tells it what waits of the reader who is here, now and whenever the network is back. Out: tells no more. */
export function startBookmarkSync(sender: SendBookmark): () => void {
  const owner = getOwner();
  if (useSaid.getState().owner !== owner) useSaid.setState({ owner, waiting: {}, told: {} });
  return sending.sendBy(sender);
}

/** The reader's bookmarks in a track, those that the server does not know yet among them. */
export function useBookmarks(track: string) {
  const { data, isError, isPending, refetch } = useQuery(bookmarksQuery(track));
  const { waiting, told } = useSaid();
  return { bookmarks: mergeBookmarks(track, data?.docs ?? [], told, waiting), isError, isPending, refetch };
}
