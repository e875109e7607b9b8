import type { Bookmark } from '@escucho/contracts';
import { useQuery } from '@tanstack/react-query';
import { create } from 'zustand';
import { persisted, readStored } from '../../shared/storage.ts';
import { bookmarksOf, type Said } from './model/bookmarks.ts';
import { readSaid } from './model/stored-bookmarks.ts';
import { ownerKey, type Sent } from './place-keeper.ts';
import { bookmarksQuery } from './queries.ts';
import { createSending } from './sending.ts';
import { soundNow } from './sound-clock.ts';
import { usePlayer } from './store.ts';

/** Tells the server how a bookmark is now; null: it is deleted. */
export type SendBookmark = (id: string, bookmark: Bookmark | null) => Promise<Sent>;

interface Kept {
  /** To whom it all belongs. */
  owner: string | null;
  waiting: Said;
  told: Said;
}

/** bookmarks-storage: what the server has not been told yet; `told` it has, in this visit. */
const useSaid = create<Kept>()(
  persisted(
    {
      name: 'bookmarks-storage',
      version: 1,
      keep: ({ owner, waiting }) => ({ owner, waiting }),
      read: readSaid,
    },
    (): Kept => ({ owner: null, waiting: {}, told: {} }),
  ),
);

/** What was said of a bookmark is known there, or never will be: it waits no more, unless it was changed again meanwhile. */
function settle(id: string, bookmark: Bookmark | null, sent: Sent): void {
  useSaid.setState(({ waiting, told }) => {
    const isChanged = waiting[id] !== bookmark;
    const { [id]: _, ...others } = waiting;
    return {
      waiting: isChanged ? waiting : others,
      told: sent === 'taken' ? { ...told, [id]: bookmark } : told,
    };
  });
}

const sending = createSending<SendBookmark>(async (send) => {
  const [next] = Object.entries(useSaid.getState().waiting);
  if (!next) return false;
  const [id, bookmark] = next;
  const sent = await send(id, bookmark);
  if (sent === 'later') return false;
  settle(id, bookmark, sent);
  return true;
});

function say(id: string, bookmark: Bookmark | null): void {
  useSaid.setState(({ waiting }) => ({ waiting: { ...waiting, [id]: bookmark } }));
  void sending.send();
}

/** Keeps a bookmark as it is now, and tells the server when it can be told. */
export const keepBookmark = (bookmark: Bookmark): void => say(bookmark._id, bookmark);

export const deleteBookmark = ({ _id }: Bookmark): void => say(_id, null);

/** Marks the place where the sound is. Out: the bookmark; null where nothing is heard. */
export function markPlace(): Bookmark | null {
  const track = usePlayer.getState().activeTrack;
  if (!track) return null;
  const made = {
    _id: crypto.randomUUID(),
    track: track._id,
    position: soundNow(),
    note: '',
    createdAt: new Date().toISOString(),
  };
  keepBookmark(made);
  return made;
}

/** Forgets everything: it belongs to a reader who has left. */
export function forgetBookmarks(): void {
  useSaid.setState({ owner: null, waiting: {}, told: {} });
}

/** Says how the server is told, and tells it what waits of the reader who is here, now and whenever the network is back. Out: tells no more. */
export function sendBookmarksBy(sender: SendBookmark): () => void {
  const owner = readStored(ownerKey);
  if (useSaid.getState().owner !== owner) useSaid.setState({ owner, waiting: {}, told: {} });
  return sending.sendBy(sender);
}

/** The reader's bookmarks in a track, those that the server does not know yet among them. */
export function useBookmarks(track: string) {
  const { data, isError, isPending, refetch } = useQuery(bookmarksQuery(track));
  const { waiting, told } = useSaid();
  return { bookmarks: bookmarksOf(track, data?.docs ?? [], told, waiting), isError, isPending, refetch };
}
