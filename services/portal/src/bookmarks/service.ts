import { AppError, type Bookmark } from '@escucho/contracts';
import type { CurrentUser } from '../accounts/user.ts';
import type { CatalogueRepository } from '../catalogue/repository.ts';
import type { BookmarkInput, BookmarkRepository, BookmarkRow } from './repository.ts';

interface BookmarkServiceDeps {
  bookmarks: BookmarkRepository;
  catalogue: Pick<CatalogueRepository, 'findAudio'>;
  clock: () => Date;
}

const toBookmark = (row: BookmarkRow): Bookmark => ({
  _id: row.id,
  track: row.article_id,
  position: row.position,
  note: row.note,
  createdAt: row.created_at.toISOString(),
});

/** A user's bookmarks: positions in tracks with a note. */
export function createBookmarkService({ bookmarks, catalogue, clock }: BookmarkServiceDeps) {
  return {
    async find(user: CurrentUser, track: string): Promise<{ docs: Bookmark[] }> {
      return { docs: (await bookmarks.find(user.id, track)).map(toBookmark) };
    },

    /**
     * Creates or replaces a bookmark; a position after the end becomes the end.
     *
     * @throws AppError `not_found` for an unknown track, `limit_reached`
     */
    async save(user: CurrentUser, id: string, { track, position, note }: BookmarkInput): Promise<Bookmark> {
      const audio = await catalogue.findAudio(track);
      if (!audio) throw new AppError('not_found');
      const input = { track, position: Math.min(position, audio.duration), note };
      const row = await bookmarks.save(user.id, id, input, clock());
      if (!row) throw new AppError('limit_reached');
      return toBookmark(row);
    },

    async remove(user: CurrentUser, id: string): Promise<{ _id: string }> {
      if (!(await bookmarks.remove(user.id, id))) throw new AppError('not_found');
      return { _id: id };
    },
  };
}

export type BookmarkService = ReturnType<typeof createBookmarkService>;
