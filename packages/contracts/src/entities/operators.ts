import * as z from 'zod/mini';
import { key } from '../fields.ts';

/** A subscriber's number as operators write it: digits, with or without a plus sign. */
const msisdn = z.string(key('field_invalid')).check(z.regex(/^\+?\d{6,15}$/, key('field_invalid')));

/** What an operator gives out in place of a number; only the operator can read it. */
const token = z.string(key('field_invalid')).check(z.regex(/^[\w.~+/=-]{8,512}$/, key('field_invalid')));

/** The operator's signature over a number: seconds since 1970, a nonce, an HMAC-SHA-256, joined by dots. */
const proof = z.optional(
  z.string(key('field_invalid')).check(z.regex(/^\d{10}\.[\w-]{16,64}\.[\w-]{43}$/, key('field_invalid'))),
);

/** The parameters of an operator's link, by operator (EXT-01). Numbers without a proof are understood, and refused. */
export const operatorLink = z.discriminatedUnion(
  'platform',
  [
    z.object({ platform: z.literal('entel'), msfw: token }),
    z.object({ platform: z.literal('cnt'), cntToken: token, msisdn }),
    z.object({ platform: z.literal('antel'), source: z.literal('antel'), msisdn, proof }),
    z.object({ platform: z.literal('bitel'), msisdn, proof }),
  ],
  key('field_invalid'),
);
export type OperatorLink = z.infer<typeof operatorLink>;
