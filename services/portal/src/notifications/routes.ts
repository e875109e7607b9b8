import { api } from '@escucho/contracts';
import { negotiateLanguage } from '@escucho/service-kit';
import type { Route } from '../request.ts';
import type { NotificationService } from './service.ts';

export function registerNotificationRoutes(route: Route, notifications: NotificationService): void {
  route(api.notifications.findNotifications).handle(({ query: { sorter, ...pagination }, request }) => {
    const isAscending = sorter?.createdAt === 1 || sorter?.createdAt === 'asc';
    const language = negotiateLanguage(request.headers['accept-language']);
    return notifications.findPage(pagination, isAscending ? 'asc' : 'desc', language);
  });
  route(api.notifications.streamNotifications).stream(({ user, request }) =>
    notifications.stream(user, negotiateLanguage(request.headers['accept-language'])),
  );
}
