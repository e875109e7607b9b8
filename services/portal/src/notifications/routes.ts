import { api } from '@escucho/contracts';
import { languageOf } from '@escucho/service-kit';
import type { Route } from '../route.ts';
import type { NotificationService } from './service.ts';

export function notificationRoutes(route: Route, notifications: NotificationService): void {
  route(api.notifications.findNotifications).handledBy(({ query, request }) =>
    notifications.findPage(query, languageOf(request.headers['accept-language'])),
  );
  route(api.notifications.streamNotifications).streamedBy(({ reader, request }) =>
    notifications.stream(reader, languageOf(request.headers['accept-language'])),
  );
}
