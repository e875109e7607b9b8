import { randomBytes, randomInt } from 'node:crypto';
import { recordAuditEvent } from '@escucho/audit';
import { rateLimits } from '@escucho/contracts';
import { isEqualInConstantTime, type RateLimiter } from '@escucho/service-kit';
import type { Caller } from '../caller.ts';
import type { Secrets } from '../crypto.ts';
import type { CodePurpose, Database } from '../database.ts';
import { type CognitoError, cognitoErrors } from '../errors.ts';
import type { Mailer } from '../mail/repository.ts';
import { createMail } from '../mail/templates.ts';
import type { Notification } from '../mail/texts.ts';
import { checkTotal, countGuess, countTowardsTotal } from '../rate-limits/caller-limits.ts';
import type { RateLimitKind } from '../rate-limits/policy.ts';
import { consumeRateLimit, isRateLimited } from '../rate-limits/repository.ts';
import { lockAccount } from '../users/repository.ts';
import { createDecoyId, type ResolvedUser } from '../users/user.ts';
import { deleteCodes, lockCode, replaceCode, setFailedAttempts } from './repository.ts';

interface VerificationCodeServiceDeps {
  secrets: Secrets;
  mailer: Mailer;
  rateLimiter: RateLimiter;
  clock: () => Date;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const codeLimits: Record<CodePurpose, { lifetimeMs: number; maxFailedAttempts: number }> = {
  'sign-up': { lifetimeMs: 24 * HOUR_MS, maxFailedAttempts: 15 },
  reset: { lifetimeMs: 10 * MINUTE_MS, maxFailedAttempts: 5 },
  email: { lifetimeMs: 24 * HOUR_MS, maxFailedAttempts: 15 },
  'sign-in': { lifetimeMs: 15 * MINUTE_MS, maxFailedAttempts: 3 },
  'second-factor': { lifetimeMs: 15 * MINUTE_MS, maxFailedAttempts: 3 },
};

/** Limits of the codes that anybody may request and that open an account: they bound how often one can be guessed. */
const dailyMailLimits: Partial<Record<CodePurpose, RateLimitKind>> = {
  reset: 'reset-mail-daily',
  'sign-in': 'sign-in-mail-daily',
};

interface CodeOptions {
  notification?: Notification | undefined;
  codeId?: string;
}

const [mailLimit, mailTotal] = rateLimits.mail;

const createCode = () => String(randomInt(1_000_000)).padStart(6, '0');

/** Creates the service for mailed codes, which can be used once. Only their HMAC is stored (IDP-03). */
export function createVerificationCodeService(deps: VerificationCodeServiceDeps) {
  const { secrets, mailer, rateLimiter, clock } = deps;
  /**
   * A code for an address is valid for that one only, as another may be requested while the code is on its way; one that
   * answers a challenge for those of the same `codeId`.
   */
  const toHash = ({ id, email }: ResolvedUser, purpose: CodePurpose, code: string, codeId?: string) => {
    const target = purpose === 'email' ? email : codeId;
    return secrets.hmac('code', id, purpose, code, ...(target === undefined ? [] : [target]));
  };

  /**
   * Creates a code that replaces the previous one, and mails it. For decoys and disabled users the work is the same, but
   * no mail is delivered or counted and the stored hash matches no code.
   * @param options.notification mailed instead of a code, which is then never valid
   * @param options.codeId of the challenges that the code answers
   */
  async function issueCode(
    tx: Database,
    user: ResolvedUser,
    purpose: CodePurpose,
    caller: Caller,
    { notification, codeId }: CodeOptions = {},
  ): Promise<void> {
    const now = clock();
    const code = createCode();
    const deliver = user.exists && user.enabled;
    const hash = toHash(user, purpose, code, codeId);
    const unusableHash = randomBytes(hash.length);
    const expiresAt = new Date(now.getTime() + codeLimits[purpose].lifetimeMs);
    const isUsable = deliver && notification === undefined;
    await replaceCode(tx, user.id, purpose, isUsable ? hash : unusableHash, expiresAt);
    const mail = {
      accountId: user.id,
      to: user.email,
      ...createMail(notification ?? purpose, notification ? null : code, caller.language),
      purpose,
      createdAt: now,
      expiresAt,
    };
    await mailer.enqueue(tx, mail, deliver);
    if (deliver) await countTowardsTotal(rateLimiter, mailTotal);
    const userId = user.exists ? user.id : undefined;
    await recordAuditEvent(tx, { type: 'code_sent', userId, details: { purpose, email: user.email } });
  }

  /**
   * Redeems a code. A wrong one counts towards the code's attempts and the user's hourly limit, and a guess of a code that
   * exists towards the limit of everybody.
   * @param user.email for the purpose `email`, the address that the code has to be of
   * @param codeId of the challenge that it answers
   * @returns the error, which must not roll the transaction back: it commits the count
   */
  async function redeemCode(
    tx: Database,
    user: ResolvedUser,
    purpose: CodePurpose,
    input: string,
    codeId?: string,
  ): Promise<CognitoError | undefined> {
    const now = clock();
    const kind = `${purpose}-code` as const;
    // A flood of guesses must not wait for the lock.
    if (await isRateLimited(tx, user.id, kind, now)) return cognitoErrors.limitExceeded();
    // An event must not refer to a user who was deleted at the same time.
    const userId = (await lockAccount(tx, user.id)) && user.id;
    if (!(await consumeRateLimit(tx, user.id, kind, now))) return cognitoErrors.limitExceeded();
    const code = await lockCode(tx, user.id, purpose);
    if (!code || code.expiresAt <= now) {
      await recordAuditEvent(tx, { type: 'code_rejected', userId, details: { purpose, reason: 'expired' } });
      return cognitoErrors.codeExpired();
    }
    const isCorrect = isEqualInConstantTime(code.hash, toHash(user, purpose, input, codeId));
    const failedAttempts = code.failedAttempts + 1;
    if (isCorrect || failedAttempts >= codeLimits[purpose].maxFailedAttempts)
      await deleteCodes(tx, user.id, purpose);
    else await setFailedAttempts(tx, user.id, purpose, failedAttempts);
    const type = isCorrect ? 'code_redeemed' : 'code_rejected';
    await recordAuditEvent(tx, { type, userId, details: { purpose } });
    if (isCorrect) return undefined;
    if (user.exists) await countGuess(rateLimiter);
    return cognitoErrors.codeMismatch();
  }

  /**
   * Counts a request for a mail towards the limit of the caller's network, and checks that of everybody: unknown addresses
   * are refused as others are.
   * @throws RateLimitError
   */
  async function consumeMailLimits({ network }: Caller): Promise<void> {
    await rateLimiter.consume(mailLimit, network);
    await checkTotal(rateLimiter, mailTotal);
  }

  /**
   * Issues a code within the limits of the user, of a new address and of the caller's network.
   * @param options as those of `issueCode`
   * @returns the address it was mailed to
   * @throws LimitExceededException, RateLimitError, UserNotFoundException where the user was deleted at the same time, or
   * changed the address
   */
  async function requestCode(
    tx: Database,
    user: ResolvedUser,
    purpose: CodePurpose,
    caller: Caller,
    options: CodeOptions = {},
  ): Promise<string> {
    const kind = `${purpose}-mail` as const;
    // A flood of requests must not wait for the lock.
    if (await isRateLimited(tx, user.id, kind, clock())) throw cognitoErrors.limitExceeded();
    const current = await lockAccount(tx, user.id);
    if (user.exists) {
      // A code for the purpose `email` is for an address that the user may not have yet.
      const isCurrent = current && (purpose === 'email' || current.email === user.email);
      if (!isCurrent) throw cognitoErrors.userNotFound();
    }
    // A new address is counted too: any number of accounts could have mails sent there.
    const subjects = [user.id, ...(purpose === 'email' ? [createDecoyId(secrets, user.email)] : [])];
    for (const subject of subjects) {
      if (!(await consumeRateLimit(tx, subject, kind, clock()))) throw cognitoErrors.limitExceeded();
    }
    const dailyKind = dailyMailLimits[purpose];
    if (dailyKind && !(await consumeRateLimit(tx, user.id, dailyKind, clock())))
      throw cognitoErrors.limitExceeded();
    await consumeMailLimits(caller);
    await issueCode(tx, user, purpose, caller, options);
    return user.email;
  }

  return { issueCode, requestCode, redeemCode, consumeMailLimits };
}

export type VerificationCodeService = ReturnType<typeof createVerificationCodeService>;
