import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { securityEvent } from '../entities/security-event.ts';
import { id, listResponse, pagination } from '../fields.ts';

/** `after` is the last event of the previous page. The last page has fewer than `limit` documents. */
export const findSecurityEvents = endpoint({
  method: 'GET',
  path: '/account/security-events',
  summary:
    'Events of the user’s account such as sign-ins and changed passwords, newest first, a page at a time',
  access: 'user',
  rateLimit: 'read',
  query: z.object({ after: z.optional(id), limit: pagination.limit }),
  response: listResponse(securityEvent),
});
