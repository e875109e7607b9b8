import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { user } from '../entities/user.ts';
import { dateTime } from '../fields.ts';
import { session } from './sessions.ts';

// Not z.record, which every page would carry.
const byName = <Value extends z.ZodMiniType>(value: Value) => z.catchall(z.object({}), value);
const records = z.array(z.looseObject({}));

export const exportAccount = endpoint({
  method: 'GET',
  path: '/account/export',
  summary: 'Everything that is kept of the reader, here and at the identity provider',
  access: 'user',
  response: z.object({
    exportedAt: dateTime,
    user,
    /** The portal's records by the table that holds them. */
    records: byName(records),
    /** The titles of the pieces that records name by their id. */
    pieces: byName(z.string()),
    /** What the identity provider keeps; null for readers who do not come by it. */
    signIn: z.nullable(
      z.object({
        attributes: byName(z.string()),
        /** Where the reader is signed in; null where the provider keeps no list. */
        sessions: z.nullable(z.array(session)),
      }),
    ),
  }),
  errors: ['unavailable'],
});

/**
 * The account goes here at once, and at the billing and the identity provider as soon as they answer. Where the latter cannot
 * say whose it is, nothing goes.
 */
export const deleteAccount = endpoint({
  method: 'DELETE',
  path: '/account',
  summary: 'Erases the reader’s account and everything that is kept of them',
  access: 'user',
  response: z.object({}),
  errors: ['unavailable'],
});
