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
 * Notifications as they are written, for readers who are there (CAT-07): events named `notification`, in the language of
 * Accept-Language. Lines that begin with a colon only say that the line is alive. The server ends a stream now and then,
 * so that nobody stays on an old token: connect anew, and ask for the newest page.
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
