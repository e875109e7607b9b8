import { api } from '@escucho/contracts';
import type { Route } from '../route.ts';
import type { SearchService } from './service.ts';

export function searchRoutes(route: Route, search: SearchService): void {
  route(api.search.search).handledBy(({ reader, query, request }) =>
    search.search(reader, query, () => request.raw.socket.destroyed),
  );
}
