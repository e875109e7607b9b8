import { AppError, api, type Bookmark, type ParsedRequest } from '@escucho/contracts';
import type { CurrentUser, Route } from '../accounts/user.ts';
import type { ContentDeps } from '../deps.ts';
import { toTrack } from '../playlists/presenter.ts';
import type { BookmarkRepository, BookmarkRow } from './repository.ts';

interface BookmarkServiceDeps extends ContentDeps {
  bookmarks: BookmarkRepository;
}

type Endpoints = (typeof api)['bookmarks'];

/** The name of the list as a source of the player. */
const SOURCE = 'bookmarks';

const toBookmark = (row: BookmarkRow): Bookmark => ({
  _id: row.id,
  track: row.article_id,
  position: row.position,
  note: row.note,
  createdAt: row.created_at.toISOString(),
});

/** A user's bookmarks: positions in tracks with a note. */
export function createBookmarkService(deps: BookmarkServiceDeps) {
  const { bookmarks, catalogue, access, links, clock } = deps;
  return {
    async find(user: CurrentUser, track: string): Promise<{ docs: Bookmark[] }> {
      return { docs: (await bookmarks.find(user.id, track)).map(toBookmark) };
    },

    /** Returns a page of the bookmarks in all tracks, newest first. */
    async findPage(user: CurrentUser, query: ParsedRequest<Endpoints['findAllBookmarks']>['query']) {
      const { q, ...pagination } = query;
      const [{ rows, total }, { mayPlay }] = await Promise.all([
        bookmarks.findPage(user.id, q, pagination),
        access.findAccess(user),
      ]);
      const docs = rows.map(({ bookmark_id, bookmark_position, note, created_at, sentence, ...row }) => ({
        bookmark: toBookmark({
          id: bookmark_id,
          article_id: row.id,
          position: bookmark_position,
          note,
          created_at,
        }),
        track: toTrack(row, { name: SOURCE, id: null }, mayPlay(row.id), links),
        sentence,
      }));
      return { docs, totalDocs: total };
    },

    /**
     * Creates or replaces a bookmark; a position after the end becomes the end, and a date of the future now.
     *
     * @throws AppError `not_found` for an unknown track, `limit_reached`
     */
    async save(
      user: CurrentUser,
      id: string,
      change: ParsedRequest<Endpoints['saveBookmark']>['body'],
    ): Promise<Bookmark> {
      const { track, position, note } = change;
      const audio = await catalogue.findAudio(track);
      if (!audio) throw new AppError('not_found');
      const now = clock();
      const created = change.createdAt === undefined ? now : new Date(change.createdAt);
      const createdAt = new Date(Math.min(created.getTime(), now.getTime()));
      const input = { track, position: Math.min(position, audio.duration), note, createdAt };
      const row = await bookmarks.save(user.id, id, input);
      if (!row) throw new AppError('limit_reached');
      return toBookmark(row);
    },

    async remove(user: CurrentUser, id: string): Promise<{ _id: string }> {
      if (!(await bookmarks.remove(user.id, id))) throw new AppError('not_found');
      return { _id: id };
    },
  };
}

type BookmarkService = ReturnType<typeof createBookmarkService>;

/** Registers the endpoints of bookmarks. */
export function registerBookmarks(route: Route, bookmarks: BookmarkService): void {
  route(api.bookmarks.findBookmarks).handle(({ user, query }) => bookmarks.find(user, query.track));
  route(api.bookmarks.findAllBookmarks).handle(({ user, query }) => bookmarks.findPage(user, query));
  route(api.bookmarks.saveBookmark).handle(({ user, params, body }) => bookmarks.save(user, params.id, body));
  route(api.bookmarks.deleteBookmark).handle(({ user, params }) => bookmarks.remove(user, params.id));
}
