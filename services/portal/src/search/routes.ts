import { api } from '@escucho/contracts';
import type { Route } from '../request.ts';
import type { SearchService } from './service.ts';

/** Registers the search endpoint; a search is aborted when its connection is closed. */
export function registerSearchRoutes(route: Route, search: SearchService): void {
  route(api.search.search).handle(({ user, query, request }) =>
    search.search(user, query, () => request.raw.socket.destroyed),
  );
}
