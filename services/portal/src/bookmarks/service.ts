import { AppError, type Bookmark } from '@escucho/contracts';
import type { CurrentUser } from '../accounts/service.ts';
import type { CatalogueRepository } from '../catalogue/repository.ts';
import { toBookmark } from './presenter.ts';
import type { BookmarkInput, BookmarkRepository } from './repository.ts';

interface BookmarkServiceDeps {
  bookmarks: BookmarkRepository;
  catalogue: Pick<CatalogueRepository, 'findAudio'>;
  clock: () => Date;
}

/** Places that readers marked; nobody sees another's. */
export function createBookmarkService({ bookmarks, catalogue, clock }: BookmarkServiceDeps) {
  return {
    async find(reader: CurrentUser, track: string): Promise<{ docs: Bookmark[] }> {
      return { docs: (await bookmarks.find(reader.id, track)).map(toBookmark) };
    },

    /** A place past the end is the end. Throws `not_found` for an unknown track, `limit_reached`. */
    async save(reader: CurrentUser, id: string, { track, position, note }: BookmarkInput): Promise<Bookmark> {
      const audio = await catalogue.findAudio(track);
      if (!audio) throw new AppError('not_found');
      const marked = { track, position: Math.min(position, audio.duration), note };
      const row = await bookmarks.save(reader.id, id, marked, clock());
      if (!row) throw new AppError('limit_reached');
      return toBookmark(row);
    },

    async remove(reader: CurrentUser, id: string): Promise<{ _id: string }> {
      if (!(await bookmarks.remove(reader.id, id))) throw new AppError('not_found');
      return { _id: id };
    },
  };
}

export type BookmarkService = ReturnType<typeof createBookmarkService>;
