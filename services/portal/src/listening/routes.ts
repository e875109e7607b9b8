import { api } from '@escucho/contracts';
import type { Route } from '../route.ts';
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
}
