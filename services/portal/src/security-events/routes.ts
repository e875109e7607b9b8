import { api } from '@escucho/contracts';
import type { Route } from '../request.ts';
import type { SecurityEventService } from './service.ts';

export function registerSecurityEventRoutes(route: Route, securityEvents: SecurityEventService): void {
  route(api.securityEvents.findSecurityEvents).handle(({ user, query }) =>
    securityEvents.findEvents(user, query),
  );
}
