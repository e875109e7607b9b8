import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';

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
  errors: [],
});
