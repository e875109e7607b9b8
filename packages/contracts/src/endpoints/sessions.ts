import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { dateTime, id } from '../fields.ts';

/** A sign-in as its person recognises it. */
export const session = z.object({
  id,
  /** What the browser or program called itself. */
  agent: z.nullable(z.string()),
  signedInAt: dateTime,
  /** When it last asked for fresh tokens. */
  usedAt: dateTime,
  expiresAt: dateTime,
  /** Whether it is the one that asks. */
  isCurrent: z.boolean(),
});
export type Session = z.infer<typeof session>;

/** Below the identity provider's endpoint, not below /api. */
export const listSessions = endpoint({
  method: 'GET',
  path: '/sessions',
  summary: 'Where the reader is signed in, last used first',
  access: 'user',
  response: z.object({ docs: z.array(session) }),
  errors: [],
});

export const revokeSession = endpoint({
  method: 'DELETE',
  path: '/sessions/:id',
  summary: 'Signs one of the reader’s sessions out',
  access: 'user',
  params: z.object({ id }),
  response: z.object({}),
  errors: ['not_found'],
});

export const revokeOtherSessions = endpoint({
  method: 'DELETE',
  path: '/sessions',
  summary: 'Signs every session out but the one that asks',
  access: 'user',
  response: z.object({}),
  errors: [],
});
