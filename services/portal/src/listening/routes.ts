import { api } from '@escucho/contracts';
import type { Route } from '../request.ts';
import type { ListeningService } from './service.ts';

export function registerListeningRoutes(route: Route, listening: ListeningService): void {
  route(api.listening.saveProgress).handle(({ user, body }) => listening.saveProgress(user, body));
  route(api.listening.findContinueListening).handle(({ user, query }) =>
    listening.findContinueListening(user, query),
  );
  route(api.listening.removeContinueListening).handle(({ user, params }) =>
    listening.removeContinueListening(user, params.id),
  );
  route(api.listening.grantAudio).handle(({ user, params, query }) =>
    listening.grantAudio(user, params.id, query.playlist),
  );
  route(api.history.findHistory).handle(({ user, query }) => listening.findHistory(user, query));
  route(api.history.clearHistory).handle(({ user }) => listening.clearHistory(user));
  route(api.history.removeFromHistory).handle(({ user, params }) =>
    listening.removeFromHistory(user, params.id),
  );
  route(api.history.restoreToHistory).handle(({ user, params }) =>
    listening.restoreToHistory(user, params.id),
  );
  route(api.history.findStatistics).handle(({ user, query }) =>
    listening.findStatistics(user, query.timeZone),
  );
}
