import { api } from '@escucho/contracts';
import type { Route } from '../request.ts';
import type { SearchService } from './service.ts';

export function searchRoutes(route: Route, search: SearchService): void {
  route(api.search.search).handle(({ user, query, request }) =>
    search.search(user, query, () => request.raw.socket.destroyed),
  );
}
