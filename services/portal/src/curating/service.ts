import { idOf } from '../library/service.ts';
import type { MediaStore } from '../media/store.ts';
import type { NotificationRepository } from '../notifications/repository.ts';
import { type Changes, CuratingFault, checkedChanges, columnsOf } from './policy.ts';
import type { CuratingRepository } from './repository.ts';

interface Ports {
  curating: CuratingRepository;
  notifications: Pick<NotificationRepository, 'findPage' | 'retract'>;
  store: MediaStore;
  clock: () => Date;
}

/** What an editor does to the catalogue: by the names of articles, the keys or names of playlists, the ids of notifications. Throws `CuratingFault`. */
export function curatingService({ curating, notifications, store, clock }: Ports) {
  async function article(name: string) {
    const found = await curating.findId('article', name);
    if (!found) throw new CuratingFault(`There is no article ${name} in the catalogue.`);
    return found;
  }

  /** A system playlist's id. In: its key, or its name in any case. */
  async function playlistOf(given: string): Promise<string> {
    const name = given.toLowerCase();
    const found = (await curating.findPlaylists()).find(
      (one) => one.id === idOf('playlist', given) || one.name.toLowerCase() === name,
    );
    if (!found) throw new CuratingFault(`There is no system playlist ${given}.`);
    return found.id;
  }

  async function removeMedia(keys: readonly string[]): Promise<void> {
    const needed = await curating.findNeeded(keys);
    for (const key of new Set(keys)) if (!needed.has(key)) await store.remove(key);
  }

  return {
    list: curating.find,

    /** Changes what is known of an article; a later load or import of it leaves these changes alone. Out: the article. */
    async edit(name: string, given: Partial<Record<keyof Changes, string | undefined>>) {
      const changes = checkedChanges(given);
      const found = await article(name);
      await curating.edit(found.id, columnsOf(changes));
      return found;
    },

    /** Takes an article out of sight: out of lists, searches and playlists, until it is published again. Out: the article. */
    async unpublish(name: string) {
      const found = await article(name);
      await curating.withdraw(found.id, { isKept: true, now: clock() });
      return found;
    },

    /**
     * Brings an unpublished article back, with its places in playlists and readers' places in it. Out: the article, and
     * whether it is back; of a removed one a load or an import may bring it again.
     */
    async publish(name: string) {
      const found = await curating.findId('withdrawn', name);
      if (!found) throw new CuratingFault(`${name} was not taken out of the catalogue.`);
      return { ...found, isBack: await curating.publish(found.id) };
    },

    /** Removes an article for good: its text, its media, its places in playlists. What readers heard of it stays in their figures. */
    async remove(name: string) {
      const away = await curating.findId('withdrawn', name);
      const found = away ?? (await article(name));
      const keys = away
        ? await curating.forget(away.id)
        : await curating.withdraw(found.id, { isKept: false, now: clock() });
      await removeMedia(keys);
      await curating.dropNarrators();
      return found;
    },

    /** The newest notifications, newest first. */
    notifications: async () => (await notifications.findPage({ limit: 50, offset: 0 })).rows,

    /** Takes a notification back for good: it is in no reader's list any more. In: its id. Out: its title. */
    async takeBack(id: string): Promise<string> {
      const found = await notifications.retract(id, clock());
      if (!found) throw new CuratingFault(`There is no notification ${id}.`);
      return found.title;
    },

    playlists: curating.findPlaylists,

    /** Whether there is such a system playlist. In: its key or its name. */
    async expectPlaylist(given: string): Promise<void> {
      await playlistOf(given);
    },

    /** Shows a system playlist on Discover, or hides it. In: its key or its name. */
    async show(given: string, active: boolean): Promise<void> {
      await curating.show(await playlistOf(given), active);
    },

    /** Puts articles at the head of a system playlist. In: its key or its name, the articles' names in order. */
    async place(given: string, names: readonly string[]): Promise<void> {
      const playlist = await playlistOf(given);
      const articles = new Set<string>();
      for (const name of names) articles.add((await article(name)).id);
      await curating.placeFirst(playlist, [...articles], clock());
    },
  };
}

export type CuratingService = ReturnType<typeof curatingService>;
