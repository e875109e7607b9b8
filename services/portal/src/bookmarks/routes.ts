import { api } from '@escucho/contracts';
import type { Route } from '../route.ts';
import type { BookmarkService } from './service.ts';

export function bookmarkRoutes(route: Route, bookmarks: BookmarkService): void {
  route(api.bookmarks.findBookmarks).handledBy(({ reader, query }) => bookmarks.find(reader, query.track));
  route(api.bookmarks.saveBookmark).handledBy(({ reader, params, body }) =>
    bookmarks.save(reader, params.id, body),
  );
  route(api.bookmarks.deleteBookmark).handledBy(({ reader, params }) => bookmarks.remove(reader, params.id));
}
