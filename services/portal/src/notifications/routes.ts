import { api } from '@escucho/contracts';
import { negotiateLanguage } from '@escucho/service-kit';
import type { Route } from '../request.ts';
import type { NotificationService } from './service.ts';

export function registerNotificationRoutes(route: Route, notifications: NotificationService): void {
  route(api.notifications.findNotifications).handle(({ query, request }) =>
    notifications.findPage(query, negotiateLanguage(request.headers['accept-language'])),
  );
  route(api.notifications.streamNotifications).stream(({ user, request }) =>
    notifications.stream(user, negotiateLanguage(request.headers['accept-language'])),
  );
}
