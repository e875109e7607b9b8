import { AppError } from '@escucho/contracts';
import type { CurrentUser } from '../accounts/service.ts';
import type { CatalogueRepository } from '../catalogue/repository.ts';
import type { PlaylistService } from '../playlists/service.ts';
import type { FavouriteRepository } from './repository.ts';

interface FavouriteServiceDeps {
  favourites: FavouriteRepository;
  playlists: Pick<PlaylistService, 'change'>;
  catalogue: Pick<CatalogueRepository, 'findAudio'>;
  clock: () => Date;
}

/** Hearts (CAT-08): a like and its end are changes of one playlist, which comes with the first like. Both may be said twice. */
export function createFavouriteService({ favourites, playlists, catalogue, clock }: FavouriteServiceDeps) {
  /** The list's id, if there is one. Throws `not_found` for an unknown track. */
  async function listFor(reader: CurrentUser, track: string): Promise<string | undefined> {
    const [list, known] = await Promise.all([favourites.find(reader.id), catalogue.findAudio(track)]);
    if (!known) throw new AppError('not_found');
    return list;
  }

  return {
    async add(reader: CurrentUser, track: string) {
      const list = (await listFor(reader, track)) ?? (await favourites.create(reader.id, clock()));
      await playlists.change(reader, list, { added: [track] });
      return { _id: track, like: true };
    },

    async remove(reader: CurrentUser, track: string) {
      const list = await listFor(reader, track);
      if (list !== undefined) await playlists.change(reader, list, { removed: [track] });
      return { _id: track, like: false };
    },
  };
}

export type FavouriteService = ReturnType<typeof createFavouriteService>;
