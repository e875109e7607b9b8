import { api } from '@escucho/contracts';
import type { Route } from '../request.ts';
import type { BookmarkService } from './service.ts';

export function registerBookmarkRoutes(route: Route, bookmarks: BookmarkService): void {
  route(api.bookmarks.findBookmarks).handle(({ user, query }) => bookmarks.find(user, query.track));
  route(api.bookmarks.findAllBookmarks).handle(({ user, query }) => bookmarks.findPage(user, query));
  route(api.bookmarks.saveBookmark).handle(({ user, params, body }) => bookmarks.save(user, params.id, body));
  route(api.bookmarks.deleteBookmark).handle(({ user, params }) => bookmarks.remove(user, params.id));
}
