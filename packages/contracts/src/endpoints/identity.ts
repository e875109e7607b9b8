import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { dateTime, device, id } from '../fields.ts';

/** A sign-in as users recognise it. */
export const session = z.object({
  id,
  device,
  signedInAt: dateTime,
  /** When it last refreshed its tokens. */
  usedAt: dateTime,
  expiresAt: dateTime,
  /** Whether it is the session of this request. */
  isCurrent: z.boolean(),
});
export type Session = z.infer<typeof session>;

/** Below the identity provider's endpoint, not below /api. */
export const listSessions = endpoint({
  method: 'GET',
  path: '/sessions',
  summary: 'Sessions of the user, last used first',
  response: z.object({ docs: z.array(session) }),
});

export const revokeSession = endpoint({
  method: 'DELETE',
  path: '/sessions/:id',
  summary: 'Revokes a session of the user',
  params: z.object({ id }),
  response: z.object({}),
  errors: ['not_found'],
});

export const revokeOtherSessions = endpoint({
  method: 'DELETE',
  path: '/sessions',
  summary: 'Revokes all other sessions',
  requiresRecentSignIn: true,
  response: z.object({}),
});

/** Below the address of the hosted pages: a code is redeemed once, with the verifier of its challenge (AUTH-08). */
export const redeemCode = endpoint({
  method: 'POST',
  path: '/oauth2/token',
  summary: 'Tokens for an authorization code',
  access: 'public',
  rateLimit: 'tokens',
  form: true,
  body: z.object({
    grant_type: z.literal('authorization_code'),
    client_id: z.string(),
    redirect_uri: z.string(),
    code: z.string(),
    code_verifier: z.string(),
  }),
  response: z.object({ access_token: z.string(), id_token: z.string(), refresh_token: z.string() }),
});
