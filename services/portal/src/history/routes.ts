import { api } from '@escucho/contracts';
import type { Route } from '../route.ts';
import type { HistoryService } from './service.ts';

export function historyRoutes(route: Route, history: HistoryService): void {
  route(api.history.findHistory).handledBy(({ reader, query }) => history.find(reader, query));
  route(api.history.clearHistory).handledBy(({ reader }) => history.clear(reader));
  route(api.history.removeFromHistory).handledBy(({ reader, params }) => history.remove(reader, params.id));
  route(api.history.restoreToHistory).handledBy(({ reader, params }) => history.restore(reader, params.id));
  route(api.history.findFigures).handledBy(({ reader, query }) =>
    history.findFigures(reader, query.timeZone),
  );
}
