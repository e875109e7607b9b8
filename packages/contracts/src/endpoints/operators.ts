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
