import { createHash, createHmac } from 'node:crypto';
import { AppError, type OperatorLink, type Platform } from '@escucho/contracts';
import { isEqualInConstantTime } from '@escucho/service-kit';
import type { Profile } from '../accounts/tokens.ts';

const SECOND_MS = 1000;
const DAY_MS = 24 * 60 * 60 * SECOND_MS;

const LINK_LIFETIME_MS = 5 * 60 * SECOND_MS;
/** The operator's clock may be ahead by this much. */
const MAX_CLOCK_DRIFT_MS = 60 * SECOND_MS;
/** Used tokens are stored this long, which is longer than any operator's token is valid. */
const TOKEN_REUSE_WINDOW_MS = 30 * DAY_MS;
/** Time between two checks of a user's subscription at the operator. */
const CHECK_INTERVAL_MS = 60 * 60 * SECOND_MS;

/** Identifies a subscriber by number, by the operator's token, or by the operator's id. */
export type SubscriberQuery = { msisdn: string } | { token: string; msisdn?: string } | { id: string };

/** A subscriber as the operator's gateway describes it. */
export interface Subscriber extends Profile {
  id: string;
  msisdn: string;
  status: 'active' | 'expired';
}

/** A verified link. */
export interface SignInAttempt {
  query: SubscriberQuery;
  /** The number the subscriber must have. */
  msisdn: string | undefined;
  /** Identifies the link, which can be used once. */
  fingerprint: string;
  expiresAt: Date;
}

type SignedLink = Extract<OperatorLink, { platform: 'bitel' | 'antel' }>;

const addMilliseconds = (time: Date, milliseconds: number) => new Date(time.getTime() + milliseconds);
const getFingerprint = (text: string) => createHash('sha256').update(text).digest('base64url');

const createForbiddenError = (field: string): AppError =>
  new AppError('forbidden', { fields: [{ path: `body.${field}`, code: 'field_invalid' }] });

/** Signs a link as docs/operations.md describes for operators. */
function signLink(
  secret: string,
  { platform, msisdn }: { platform: Platform; msisdn: string },
  stamp: string,
): string {
  const text = `escucho-link-1\n${platform}\n${msisdn}\n${stamp}`;
  return createHmac('sha256', secret).update(text).digest('base64url');
}

function verifySignedLink(link: SignedLink, secret: string | undefined, now: Date): SignInAttempt {
  const { msisdn, proof } = link;
  if (proof === undefined || secret === undefined) throw createForbiddenError('proof');
  const [issued = '', nonce, signature = ''] = proof.split('.');
  const stamp = `${issued}.${nonce}`;
  if (!isEqualInConstantTime(signLink(secret, link, stamp), signature)) throw createForbiddenError('proof');
  const issuedAt = new Date(Number(issued) * SECOND_MS);
  const expiresAt = addMilliseconds(issuedAt, LINK_LIFETIME_MS);
  if (now >= expiresAt || issuedAt > addMilliseconds(now, MAX_CLOCK_DRIFT_MS))
    throw new AppError('link_expired');
  return { query: { msisdn }, msisdn, fingerprint: getFingerprint(stamp), expiresAt };
}

function readTokenLink(token: string, msisdn: string | undefined, now: Date): SignInAttempt {
  return {
    query: msisdn === undefined ? { token } : { token, msisdn },
    msisdn,
    fingerprint: getFingerprint(token),
    expiresAt: addMilliseconds(now, TOKEN_REUSE_WINDOW_MS),
  };
}

/**
 * Verifies a link before its operator is called (EXT-06).
 *
 * @param link - unverified parameters of the link
 * @param secret - shared with the operator, if it signs links
 * @throws AppError `forbidden` for a missing or wrong signature, `link_expired`
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
 * Returns the subscriber of a link.
 *
 * @throws AppError `not_found`, `forbidden` when the operator's response is about another number than the link
 */
export function assertKnown(attempt: SignInAttempt, subscriber: Subscriber | null): Subscriber {
  if (subscriber === null) throw new AppError('not_found');
  if (attempt.msisdn !== undefined && digits(subscriber.msisdn) !== digits(attempt.msisdn))
    throw createForbiddenError('msisdn');
  return subscriber;
}

/**
 * Returns the subscriber if the operator's response allows the sign-in.
 *
 * @throws AppError `subscription_required`, `forbidden` when the response is about another number than the link
 */
export function assertSubscribed(attempt: SignInAttempt, response: Subscriber | null): Subscriber {
  if (response === null) throw new AppError('subscription_required');
  const subscriber = assertKnown(attempt, response);
  if (subscriber.status !== 'active') throw new AppError('subscription_required');
  return subscriber;
}

/**
 * Subscriptions that were last checked at one of these times or outside them are due. A check after the latest was made
 * while the clock was ahead.
 */
export const getCheckLimits = (now: Date) => ({
  earliest: addMilliseconds(now, -CHECK_INTERVAL_MS),
  latest: addMilliseconds(now, CHECK_INTERVAL_MS),
});

/** Returns whether the subscription is to be checked at the operator. */
export function isCheckDue(checkedAt: Date | null, now: Date): boolean {
  const { earliest, latest } = getCheckLimits(now);
  return checkedAt === null || checkedAt <= earliest || checkedAt >= latest;
}
