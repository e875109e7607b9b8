import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { receipt } from '../entities/plan.ts';
import { securityEvent } from '../entities/security-event.ts';
import { user } from '../entities/user.ts';
import { dateTime, id, listResponse, pagination } from '../fields.ts';
import { session } from './identity.ts';

// z.record would add to the first load of every page.
const byName = <Value extends z.ZodMiniType>(value: Value) => z.catchall(z.object({}), value);
const records = z.array(z.looseObject({}));

export const exportAccount = endpoint({
  method: 'GET',
  path: '/account/export',
  summary: 'Exports all data of the user, that of the identity and billing providers included',
  requiresRecentSignIn: true,
  rateLimit: 'export',
  response: z.object({
    exportedAt: dateTime,
    user,
    /** The portal's rows, by table. */
    records: byName(records),
    /** Titles of the articles whose ids occur in the records. */
    articleTitles: byName(z.string()),
    /** The user's payments, newest first; none where the billing provider has no such list. */
    payments: z.array(receipt),
    /** The data of the identity provider; null for users of an operator. */
    signIn: z.nullable(
      z.object({
        attributes: byName(z.string()),
        /** The user's sessions; null where the provider does not list them. */
        sessions: z.nullable(z.array(session)),
      }),
    ),
  }),
  errors: ['unavailable'],
});

/**
 * Deletes the account in the portal at once, and at the billing and identity providers by a background job. Nothing is
 * deleted when the identity provider cannot identify the account.
 */
export const deleteAccount = endpoint({
  method: 'DELETE',
  path: '/account',
  summary: 'Deletes the user’s account and all of its data',
  requiresRecentSignIn: true,
  rateLimit: 'deleteAccount',
  response: z.object({}),
  errors: ['unavailable'],
});

/** `after` is the last event of the previous page. The last page has fewer than `limit` documents. */
export const findSecurityEvents = endpoint({
  method: 'GET',
  path: '/account/security-events',
  summary:
    'Events of the user’s account such as sign-ins and changed passwords, newest first, a page at a time',
  query: z.object({ after: z.optional(id), limit: pagination.limit }),
  response: listResponse(securityEvent),
});
