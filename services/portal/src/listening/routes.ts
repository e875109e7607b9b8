import { api } from '@escucho/contracts';
import type { Route } from '../route.ts';
import type { ListeningService } from './service.ts';

export function listeningRoutes(route: Route, listening: ListeningService): void {
  route(api.listening.saveProgress).handledBy(({ reader, body }) => listening.save(reader, body));
  route(api.listening.findContinueListening).handledBy(({ reader, query }) =>
    listening.findContinue(reader, query),
  );
  route(api.listening.removeContinueListening).handledBy(({ reader, params }) =>
    listening.removeContinue(reader, params.id),
  );
  route(api.listening.grantAudio).handledBy(({ reader, params, query }) =>
    listening.grantAudio(reader, params.id, query.playlist),
  );
}
