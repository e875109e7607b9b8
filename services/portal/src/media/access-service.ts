import type { CurrentUser } from '../accounts/user.ts';
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
export interface Access {
  mayPlay: (track: string) => boolean;
  /** The track that is free because of the user's level and language. */
  ownFree?: string | undefined;
}

/** Creates the service that decides who may play which track (PLAY-04). */
export function createAccessService({ playlists, catalogue }: AccessServiceDeps) {
  /** Returns the newest tracks at a user's level and in the language. */
  async function findNewest({ id, learning: { level, language } }: Listener, limit: number) {
    if (level === null || language === null) return [];
    const list = { column: 'level', value: level, language } as const;
    return (await catalogue.findPage(id, { list, limit })).map((row) => row.id);
  }

  return {
    /**
     * Returns what a user may play. Subscribers play everything; others the first track of each system playlist 'Latest', and
     * that of the list 'Latest' of their own level and language.
     *
     * @param playlist - the id of the playlist the tracks are played from; without one, any list
     */
    async findAccess(user: Listener, playlist?: string): Promise<Access> {
      if (user.subscription.isActive) return { mayPlay: () => true };
      const starts = await playlists.findFirstTracks();
      const free = findFreeTracks(starts);
      // One of them at least is not free for everybody, if there are that many.
      const newest = await findNewest(user, free.size + 1);
      const own = toLearnerStart(user.learning, newest, free);
      const playable = findFreeTracks(own ? [...starts, own] : starts, playlist);
      return { mayPlay: (track) => playable.has(track), ownFree: own?.first ?? undefined };
    },
  };
}

export type AccessService = ReturnType<typeof createAccessService>;
