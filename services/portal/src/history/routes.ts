import { api } from '@escucho/contracts';
import type { Route } from '../route.ts';
import type { HistoryService } from './service.ts';

export function registerHistoryRoutes(route: Route, history: HistoryService): void {
  route(api.history.findHistory).handle(({ user, query }) => history.find(user, query));
  route(api.history.clearHistory).handle(({ user }) => history.clear(user));
  route(api.history.removeFromHistory).handle(({ user, params }) => history.remove(user, params.id));
  route(api.history.restoreToHistory).handle(({ user, params }) => history.restore(user, params.id));
  route(api.history.findStatistics).handle(({ user, query }) => history.findStatistics(user, query.timeZone));
}
