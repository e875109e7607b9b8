import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { subscription, user } from '../entities/user.ts';
import { singleLineText } from '../fields.ts';
import { limits } from '../limits.ts';

/** Called after sign-in: the access token identifies the user, the id token carries the profile. */
export const signInCognito = endpoint({
  method: 'POST',
  path: '/auth/sign-in-cognito',
  summary: 'Creates the portal’s user of a sign-in, or updates the profile',
  body: z.object({ idToken: singleLineText(limits.token.max) }),
  response: z.object({ user, subscription }),
});

/** All other users are signed out by the identity provider. */
export const signOut = endpoint({
  method: 'POST',
  path: '/auth/sign-out',
  summary: 'Ends the sessions of an operator’s user on all devices',
  response: z.object({}),
});

export const me = endpoint({
  method: 'GET',
  path: '/auth/me',
  summary: 'The signed-in user and the subscription',
  response: z.object({ user, subscription }),
});
