import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { notification } from '../entities/notification.ts';
import { integerParam, listResponse, pagination, singleLineText } from '../fields.ts';
import { limits } from '../limits.ts';

export const findNotifications = endpoint({
  method: 'GET',
  path: '/notifications/find-paginated',
  summary: 'Notifications, newest first',
  access: 'user',
  query: z.object({
    page: pagination.page,
    limit: integerParam({ min: 1, max: limits.pageSize.max, default: limits.notifications.pageSize }),
    sorter: z.optional(singleLineText(limits.search.maxLength)),
  }),
  response: listResponse(notification),
  errors: [],
});

/**
 * Streams new notifications (CAT-07) as events named `notification`, in the language of Accept-Language. Comment lines are
 * heartbeats. The server ends a stream from time to time, so that an expired token does not stay in use: reconnect, and
 * request the newest page.
 */
export const streamNotifications = endpoint({
  method: 'GET',
  path: '/notifications/stream',
  summary: 'New notifications, as server-sent events',
  access: 'user',
  events: true,
  response: notification,
  errors: ['too_many_requests', 'unavailable'],
});
