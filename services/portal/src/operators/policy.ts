import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { AppError, type OperatorLink, type Platform } from '@escucho/contracts';

const SECOND_MS = 1000;
const DAY_MS = 24 * 60 * 60 * SECOND_MS;

/** A signed link works this long after it was signed, and so much before by a clock that is ahead. In milliseconds. */
const LINK_LIFETIME_MS = 5 * 60 * SECOND_MS;
const MAX_CLOCK_DRIFT_MS = 60 * SECOND_MS;
/** An operator's token is remembered this long after it was used: longer than any operator lets one live. */
const TOKEN_REUSE_WINDOW_MS = 30 * DAY_MS;
/** An operator's word on a reader holds this long. */
const CHECK_INTERVAL_MS = 60 * 60 * SECOND_MS;

/** What a gateway is asked: who has this number, this token, or this id of the operator's own. */
export type SubscriberQuery = { msisdn: string } | { token: string; msisdn?: string } | { id: string };

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
export interface SignInAttempt {
  question: SubscriberQuery;
  msisdn: string | undefined;
  fingerprint: string;
  endsAt: Date;
}

type SignedLink = Extract<OperatorLink, { platform: 'bitel' | 'antel' }>;

const addMilliseconds = (moment: Date, milliseconds: number) => new Date(moment.getTime() + milliseconds);
const getFingerprint = (text: string) => createHash('sha256').update(text).digest('base64url');

function createForbiddenError(field: string): AppError {
  return new AppError('forbidden', {
    fields: [{ path: `body.${field}`, code: 'field_invalid', message: '' }],
  });
}

/** The signature of a number, as docs/operations.md tells operators to make it. */
export function signLink(
  secret: string,
  { platform, msisdn }: { platform: Platform; msisdn: string },
  stamp: string,
): string {
  const text = `escucho-link-1\n${platform}\n${msisdn}\n${stamp}`;
  return createHmac('sha256', secret).update(text).digest('base64url');
}

/** Texts are compared, not bytes: a signature that is written in another way is another. */
function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function verifySignedLink(link: SignedLink, secret: string | undefined, now: Date): SignInAttempt {
  const { msisdn, proof } = link;
  if (proof === undefined || secret === undefined) throw createForbiddenError('proof');
  const [issued = '', nonce, signature = ''] = proof.split('.');
  const stamp = `${issued}.${nonce}`;
  if (!isEqual(signLink(secret, link, stamp), signature)) throw createForbiddenError('proof');
  const issuedAt = new Date(Number(issued) * SECOND_MS);
  const endsAt = addMilliseconds(issuedAt, LINK_LIFETIME_MS);
  if (now >= endsAt || issuedAt > addMilliseconds(now, MAX_CLOCK_DRIFT_MS))
    throw new AppError('link_expired');
  return { question: { msisdn }, msisdn, fingerprint: getFingerprint(stamp), endsAt };
}

function readTokenLink(token: string, msisdn: string | undefined, now: Date): SignInAttempt {
  const question = msisdn === undefined ? { token } : { token, msisdn };
  return {
    question,
    msisdn,
    fingerprint: getFingerprint(token),
    endsAt: addMilliseconds(now, TOKEN_REUSE_WINDOW_MS),
  };
}

/**
 * What a link is good for before its operator is asked (EXT-06). In: the link's parameters, from anybody; the secret
 * shared with the operator, if it signs links; the time. Throws `forbidden` where the operator has not signed,
 * `link_expired` where it has long ago.
 */
export function verifyLink(link: OperatorLink, secret: string | undefined, now: Date): SignInAttempt {
  switch (link.platform) {
    case 'entel':
      return readTokenLink(link.msfw, undefined, now);
    case 'cnt':
      return readTokenLink(link.cntToken, link.msisdn, now);
    case 'antel':
    case 'bitel':
      return verifySignedLink(link, secret, now);
  }
}

const digits = (msisdn: string) => msisdn.replace(/\D/g, '');

/**
 * Whom the link lets in by the operator's answer. Throws `subscription_required` for nobody or somebody without a
 * subscription, `forbidden` where the operator speaks of another number than the link does.
 */
export function assertSubscribed(pass: SignInAttempt, said: Subscriber | null): Subscriber {
  if (said === null) throw new AppError('subscription_required');
  if (pass.msisdn !== undefined && digits(said.msisdn) !== digits(pass.msisdn))
    throw createForbiddenError('msisdn');
  if (said.status !== 'active') throw new AppError('subscription_required');
  return said;
}

/** Whether it is time to ask the operator again. In: when it was last asked. */
export function isCheckDue(askedAt: Date | null, now: Date): boolean {
  return askedAt === null || now >= addMilliseconds(askedAt, CHECK_INTERVAL_MS);
}

/** The moment before which an operator must have been asked to be asked again. */
export const checkedBefore = (now: Date): Date => addMilliseconds(now, -CHECK_INTERVAL_MS);
