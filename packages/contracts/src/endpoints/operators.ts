import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { operatorLink } from '../entities/operators.ts';
import { user } from '../entities/user.ts';

export const signInThirdParties = endpoint({
  method: 'POST',
  path: '/auth/sign-in-third-parties',
  summary: 'Signs a mobile operator’s subscriber in by the operator’s link, which works once',
  access: 'public',
  rateLimit: 'operatorSignIn',
  body: operatorLink,
  response: z.object({ accessToken: z.string(), user }),
  errors: ['forbidden', 'link_expired', 'subscription_required', 'unavailable'],
});

/**
 * Deletes the account of a link's subscriber. The session ends with the plan, and so does everything that needs one; the
 * link proves who the subscriber is in both cases.
 */
export const deleteAccountByLink = endpoint({
  method: 'POST',
  path: '/account/delete-by-link',
  summary:
    'Deletes the account of a mobile operator’s subscriber, also after the plan has ended, by the operator’s link',
  access: 'public',
  rateLimit: 'operatorSignIn',
  body: operatorLink,
  response: z.object({}),
  errors: ['forbidden', 'link_expired', 'not_found', 'unavailable'],
});
