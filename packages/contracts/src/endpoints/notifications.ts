import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { notification } from '../entities/notification.ts';
import { line, listOf, paging, wholeNumber } from '../fields.ts';
import { limits } from '../limits.ts';

export const findNotifications = endpoint({
  method: 'GET',
  path: '/notifications/find-paginated',
  summary: 'Notifications, newest first',
  access: 'reader',
  query: z.object({
    page: paging.page,
    limit: wholeNumber({ min: 1, max: limits.pageSize.max, default: limits.notifications.pageSize }),
    sorter: z.optional(line(limits.search.maxLength)),
  }),
  response: listOf(notification),
  errors: [],
});
