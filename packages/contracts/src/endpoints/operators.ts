import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { platform, user } from '../entities/user.ts';
import { messageKey, patternText } from '../fields.ts';

/** A subscriber's number: digits, with or without a plus sign. */
const msisdn = patternText(/^\+?\d{6,15}$/);

/** An operator's encrypted token in place of a phone number. */
const token = patternText(/^[\w.~+/=-]{8,512}$/);

/** The operator's signature over a number: seconds since 1970, a nonce, an HMAC-SHA-256, joined by dots. */
const proof = patternText(/^\d{10}\.[\w-]{16,64}\.[\w-]{43}$/);

/** The parameters of an operator's link, by operator (EXT-01). Numbers without a proof parse, but sign-in refuses them. */
export type OperatorLink =
  | { platform: 'entel'; msfw: string }
  | { platform: 'cnt'; cntToken: string; msisdn: string }
  | { platform: 'antel'; source: 'antel'; msisdn: string; proof?: string | undefined }
  | { platform: 'bitel'; msisdn: string; proof?: string | undefined };

const parameters = z.object({
  platform,
  msfw: z.optional(token),
  cntToken: z.optional(token),
  source: z.optional(z.literal('antel', messageKey('field_invalid'))),
  msisdn: z.optional(msisdn),
  proof: z.optional(proof),
});
type Parameters = z.infer<typeof parameters>;

/** Returns the link of the operator, or the name of a missing parameter. */
function toOperatorLink(parsed: Parameters): OperatorLink | keyof Parameters {
  const { platform, msfw, cntToken, source, msisdn, proof } = parsed;
  if (platform === 'entel') return msfw === undefined ? 'msfw' : { platform, msfw };
  if (msisdn === undefined) return 'msisdn';
  if (platform === 'cnt') return cntToken === undefined ? 'cntToken' : { platform, cntToken, msisdn };
  if (platform === 'bitel') return { platform, msisdn, proof };
  return source === undefined ? 'source' : { platform, source, msisdn, proof };
}

/** An operator's link in a request. */
const operatorLink = z.pipe(
  parameters,
  z.transform((parsed, context): OperatorLink => {
    const link = toOperatorLink(parsed);
    if (typeof link === 'object') return link;
    const message = messageKey('field_required');
    context.issues.push({ code: 'custom', message, path: [link], input: parsed });
    return z.NEVER;
  }),
);

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
