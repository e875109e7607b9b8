import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { dateTime, id, integerParam, jsonParam, listResponse, pagination } from '../fields.ts';
import { limits } from '../limits.ts';

/** Notification (specification, section 3), in the user's language. */
const notification = z.object({ _id: id, title: z.string(), body: z.string(), createdAt: dateTime });
export type Notification = z.infer<typeof notification>;

/** Notifications can be sorted, but not filtered (API-01). */
const sorter = z.strictObject({ createdAt: z.optional(z.literal([1, -1, 'asc', 'desc'])) });
const filter = z.strictObject({});

export const findNotifications = endpoint({
  method: 'GET',
  path: '/notifications/find-paginated',
  summary: 'Notifications, newest first unless sorted otherwise',
  query: z.object({
    page: pagination.page,
    limit: integerParam({ min: 1, max: limits.pageSize.max, default: limits.notifications.pageSize }),
    filter: z.optional(jsonParam(filter)),
    sorter: z.optional(jsonParam(sorter)),
  }),
  response: listResponse(notification),
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
  rateLimit: 'stream',
  events: true,
  response: notification,
  errors: ['unavailable'],
});
