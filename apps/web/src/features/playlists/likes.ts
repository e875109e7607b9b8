import { api, type Track } from '@escucho/contracts';
import { create } from 'zustand';
import { call } from '#shared/api/client.ts';

/** What the reader has said of tracks in this visit, by id; it is newer than what lists say. */
const useLikes = create<Record<string, boolean>>()(() => ({}));

/** What the server has not been told yet, by id. */
const wishes = new Map<string, boolean>();
const told = new Map<string, Promise<void>>();

/** Whether a track is a favourite (CAT-08). */
export const useIsLiked = ({ _id, like }: Pick<Track, '_id' | 'like'>): boolean =>
  useLikes((likes) => likes[_id] ?? like);

/** Takes note of what was said elsewhere, such as in the list of favourites itself. */
export const noteLiked = (id: string, liked: boolean): void => useLikes.setState({ [id]: liked });

/** Forgets what was said, when the reader leaves. */
export function forgetLikes(): void {
  useLikes.setState({}, true);
  wishes.clear();
  told.clear();
}

async function tell(id: string): Promise<void> {
  let known = !wishes.get(id);
  try {
    for (let wish = wishes.get(id); wish !== undefined; wish = wishes.get(id)) {
      wishes.delete(id);
      if (wish === known) continue;
      await call(wish ? api.favourites.addFavourite : api.favourites.removeFavourite, { params: { id } });
      known = wish;
    }
  } catch (error) {
    wishes.delete(id);
    useLikes.setState({ [id]: known });
    throw error;
  } finally {
    told.delete(id);
  }
}

/**
 * Likes a track or takes that back (CAT-08): shown at once, then told, one call after another, so that the last wish wins.
 * Rejects with what the call threw; by then what is shown is true again.
 */
export function setLiked(id: string, liked: boolean): Promise<void> {
  useLikes.setState({ [id]: liked });
  wishes.set(id, liked);
  const telling = told.get(id) ?? tell(id);
  told.set(id, telling);
  return telling;
}
