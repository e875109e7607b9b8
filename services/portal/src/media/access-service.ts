import type { Learning } from '@escucho/contracts';
import type { CurrentUser } from '../accounts/user.ts';
import { createBatcher } from '../batches.ts';
import type { CatalogueRepository } from '../catalogue/repository.ts';
import type { PlaylistRepository } from '../playlists/repository.ts';
import { findFreeTracks, toLearnerStart } from './policy.ts';

interface AccessServiceDeps {
  playlists: Pick<PlaylistRepository, 'findFirstTracks'>;
  catalogue: Pick<CatalogueRepository, 'findPage'>;
}

/** What decides about the access of a user. */
export type Listener = Pick<CurrentUser, 'id' | 'learning' | 'subscription'>;

/** What a user may play. */
interface Access {
  mayPlay: (track: string) => boolean;
  /** Like `mayPlay`, without the tracks that may be played only from the playlist that they are the first of. */
  mayPlayAnywhere: (track: string) => boolean;
  /** The track that is free because of the user's level and language. */
  ownFree?: string | undefined;
}

/** Creates the service that decides who may play which track (PLAY-04). */
export function createAccessService({ playlists, catalogue }: AccessServiceDeps) {
  /** Returns the ids of the newest tracks at a level and in a language. */
  async function findNewest({ level, language }: Learning, limit: number): Promise<string[]> {
    if (level === null || language === null) return [];
    const list = { column: 'level', value: level, language } as const;
    return (await catalogue.findPage(null, { list, limit })).map(({ id }) => id);
  }

  /** Returns the lists with a free track for each of some learners. Nearly each request of a user without a subscription asks. */
  const findStarts = createBatcher(async (learners: readonly Learning[]) => {
    const starts = await playlists.findFirstTracks();
    const free = findFreeTracks(starts);
    /** By level and language, which many learners have in common. */
    const newest = new Map<string, Promise<string[]>>();
    return Promise.all(
      learners.map(async (learning) => {
        const key = `${learning.level} ${learning.language}`;
        // One of them at least is not free for everybody, if there are that many.
        const found = newest.get(key) ?? findNewest(learning, free.size + 1);
        newest.set(key, found);
        return { starts, own: toLearnerStart(learning, await found, free) };
      }),
    );
  });

  return {
    /**
     * Returns what a user may play. Subscribers play everything; others the first track of each system playlist 'Latest', and
     * that of the list 'Latest' of their own level and language, from any list.
     *
     * @param playlist - the id of the playlist the tracks are played from; without one, any list
     */
    async findAccess(user: Listener, playlist?: string): Promise<Access> {
      if (user.subscription.isActive) return { mayPlay: () => true, mayPlayAnywhere: () => true };
      const { starts, own } = await findStarts(user.learning);
      const free = findFreeTracks(starts, playlist);
      const ownFree = own?.first ?? undefined;
      const mayPlayAnywhere = (track: string) => track === ownFree;
      return { mayPlay: (track) => free.has(track) || mayPlayAnywhere(track), mayPlayAnywhere, ownFree };
    },
  };
}

export type AccessService = ReturnType<typeof createAccessService>;
