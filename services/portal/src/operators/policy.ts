import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { AppError, type OperatorLink, type Platform } from '@escucho/contracts';

const second = 1000;
const day = 24 * 60 * 60 * second;

/** A signed link works this long after it was signed, and so much before by a clock that is ahead. In milliseconds. */
const linkLife = 5 * 60 * second;
const clockDrift = 60 * second;
/** An operator's token is remembered this long after it was used: longer than any operator lets one live. */
const tokenMemory = 30 * day;
/** An operator's word on a reader holds this long. */
const wordHolds = 60 * 60 * second;

/** What a gateway is asked: who has this number, this token, or this id of the operator's own. */
export type Question = { msisdn: string } | { token: string; msisdn?: string } | { id: string };

/** What an operator says of a subscriber. */
export interface Subscriber {
  id: string;
  msisdn: string;
  status: 'active' | 'expired';
  email: string | null;
  firstName: string;
  lastName: string;
}

/** A link that may be followed up: what to ask, whose number the answer must be, and what may be used only once, until when. */
export interface Pass {
  question: Question;
  msisdn: string | undefined;
  fingerprint: string;
  endsAt: Date;
}

type SignedLink = Extract<OperatorLink, { platform: 'bitel' | 'antel' }>;

const later = (moment: Date, milliseconds: number) => new Date(moment.getTime() + milliseconds);
const fingerprintOf = (text: string) => createHash('sha256').update(text).digest('base64url');

function unproven(field: string): AppError {
  return new AppError('forbidden', {
    fields: [{ path: `body.${field}`, code: 'field_invalid', message: '' }],
  });
}

/** The signature of a number, as docs/operations.md tells operators to make it. */
export function signatureOf(
  secret: string,
  { platform, msisdn }: { platform: Platform; msisdn: string },
  stamp: string,
): string {
  const text = `escucho-link-1\n${platform}\n${msisdn}\n${stamp}`;
  return createHmac('sha256', secret).update(text).digest('base64url');
}

/** Texts are compared, not bytes: a signature that is written in another way is another. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function signedPass(link: SignedLink, secret: string | undefined, now: Date): Pass {
  const { msisdn, proof } = link;
  if (proof === undefined || secret === undefined) throw unproven('proof');
  const [issued = '', nonce, signature = ''] = proof.split('.');
  const stamp = `${issued}.${nonce}`;
  if (!isSame(signatureOf(secret, link, stamp), signature)) throw unproven('proof');
  const issuedAt = new Date(Number(issued) * second);
  const endsAt = later(issuedAt, linkLife);
  if (now >= endsAt || issuedAt > later(now, clockDrift)) throw new AppError('link_expired');
  return { question: { msisdn }, msisdn, fingerprint: fingerprintOf(stamp), endsAt };
}

function tokenPass(token: string, msisdn: string | undefined, now: Date): Pass {
  const question = msisdn === undefined ? { token } : { token, msisdn };
  return { question, msisdn, fingerprint: fingerprintOf(token), endsAt: later(now, tokenMemory) };
}

/**
 * What a link is good for before its operator is asked (EXT-06). In: the link's parameters, from anybody; the secret
 * shared with the operator, if it signs links; the time. Throws `forbidden` where the operator has not signed,
 * `link_expired` where it has long ago.
 */
export function passOf(link: OperatorLink, secret: string | undefined, now: Date): Pass {
  switch (link.platform) {
    case 'entel':
      return tokenPass(link.msfw, undefined, now);
    case 'cnt':
      return tokenPass(link.cntToken, link.msisdn, now);
    case 'antel':
    case 'bitel':
      return signedPass(link, secret, now);
  }
}

const digits = (msisdn: string) => msisdn.replace(/\D/g, '');

/**
 * Whom the link lets in by the operator's answer. Throws `subscription_required` for nobody or somebody without a
 * subscription, `forbidden` where the operator speaks of another number than the link does.
 */
export function admitted(pass: Pass, said: Subscriber | null): Subscriber {
  if (said === null) throw new AppError('subscription_required');
  if (pass.msisdn !== undefined && digits(said.msisdn) !== digits(pass.msisdn)) throw unproven('msisdn');
  if (said.status !== 'active') throw new AppError('subscription_required');
  return said;
}

/** Whether it is time to ask the operator again. In: when it was last asked. */
export function isDue(askedAt: Date | null, now: Date): boolean {
  return askedAt === null || now >= later(askedAt, wordHolds);
}

/** The moment before which an operator must have been asked to be asked again. */
export const dueBefore = (now: Date): Date => later(now, -wordHolds);
