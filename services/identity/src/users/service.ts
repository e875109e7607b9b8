import { randomUUID } from 'node:crypto';
import { findAuditEvents, recordAuditEvent } from '@escucho/audit';
import { isEqualInConstantTime } from '@escucho/service-kit';
import type { Caller } from '../caller.ts';
import { deleteCodes } from '../codes/repository.ts';
import { commitAttempt, type Database } from '../database.ts';
import type { PoolDeps } from '../deps.ts';
import { cognitoErrors } from '../errors.ts';
import { consumeRateLimit, resetCounter } from '../rate-limits/repository.ts';
import { sessionRepository } from '../sessions/repository.ts';
import { assertPassword, isEmail, normalizeUsername, parseProfile } from './policy.ts';
import type { NewUser } from './repository.ts';
import { createCredential, createDecoyId } from './user.ts';

interface SignUpInput {
  username: string;
  password: string;
  attributes: readonly { Name: string; Value: string }[];
}

/** Creates the service for sign-up, confirmation and password recovery. */
export function createUserService(deps: PoolDeps) {
  const { db, secrets, poolName, users, codes, notifyOwner, clock } = deps;

  /**
   * Stores a sign-up, in place of an older one of the same address that is not confirmed. An account that is confirmed
   * remains as it is.
   * @returns whether a code may confirm the sign-up
   */
  async function storeSignUp(tx: Database, user: NewUser, exists: boolean): Promise<boolean> {
    if (exists) {
      const isReplaced = await users.replaceSignUp(tx, user, clock());
      // Takes as long as recording that an account was created.
      await findAuditEvents(tx, { userId: user.id }, 1);
      return isReplaced;
    }
    // Another sign-up of the address is being stored: clients repeat the request.
    if (!(await users.insert(tx, user, clock()))) throw cognitoErrors.tooManyRequests();
    await recordAuditEvent(tx, { type: 'account_created', userId: user.id });
    return true;
  }

  /**
   * Signs a user up and mails a code. The response is the same where the address has an account, whose owner is notified by
   * mail instead.
   */
  async function signUp({ username, password, attributes }: SignUpInput, caller: Caller) {
    const email = normalizeUsername(username);
    if (!isEmail(email)) throw cognitoErrors.usernameNotEmail();
    const profile = parseProfile(email, attributes);
    await assertPassword(password);
    const { signUpKeyHash } = caller;
    const limitSubject = createDecoyId(secrets, email);
    return db.transaction().execute(async (tx) => {
      if (!(await consumeRateLimit(tx, limitSubject, 'sign-up', clock())))
        throw cognitoErrors.limitExceeded();
      await codes.consumeMailLimits(caller);
      const existing = await users.findLocalUser(tx, email);
      const id = existing?.id ?? randomUUID();
      const credential = createCredential(poolName, id, password);
      const user = { id, email, confirmed: false, credential, signUpKeyHash, ...profile };
      const isConfirmable = await storeSignUp(tx, user, existing !== undefined);
      const notification = isConfirmable ? undefined : 'account-exists';
      await codes.issueCode(tx, await users.resolveUser(tx, id), 'sign-up', caller, { notification });
      return { id, email };
    });
  }

  /**
   * Confirms the address of a sign-up by its code. The password remains only where the sign-up came from the same browser:
   * otherwise a stranger may have chosen it, and a new one must be set by ForgotPassword.
   */
  async function confirmSignUp(username: string, code: string, { signUpKeyHash }: Caller): Promise<void> {
    await commitAttempt(db, async (tx) => {
      const user = await users.resolveUser(tx, username);
      const codeError = await codes.redeemCode(tx, user, 'sign-up', code);
      if (codeError) return codeError;
      if (!user.exists || user.status !== 'UNCONFIRMED') return cognitoErrors.codeExpired();
      const none = Buffer.alloc(0);
      const isSameBrowser = isEqualInConstantTime(user.signUpKeyHash ?? none, signUpKeyHash ?? none);
      const status = isSameBrowser ? 'CONFIRMED' : 'RESET_REQUIRED';
      await users.update(tx, user.id, { status, emailVerified: true, signUpKeyHash: null }, clock());
      // So that counted attempts do not reveal that the account was confirmed.
      await resetCounter(tx, user.id, 'sign-up-code');
      await recordAuditEvent(tx, { type: 'email_verified', userId: user.id, details: { email: user.email } });
      return undefined;
    });
  }

  /**
   * Mails a new code that replaces the previous one; returns the address, also where there is no such user. The owner of a
   * confirmed account is notified instead.
   */
  async function resendConfirmationCode(username: string, caller: Caller): Promise<string> {
    return db.transaction().execute(async (tx) => {
      const user = await users.resolveUser(tx, username);
      const isConfirmed = user.exists && user.status !== 'UNCONFIRMED';
      const notification = isConfirmed ? 'account-exists' : undefined;
      return codes.requestCode(tx, user, 'sign-up', caller, { notification });
    });
  }

  /** Mails a code for a new password; returns the address, also where there is no such user. */
  async function forgotPassword(username: string, caller: Caller): Promise<string> {
    return db
      .transaction()
      .execute(async (tx) => codes.requestCode(tx, await users.resolveUser(tx, username), 'reset', caller));
  }

  /**
   * Sets a new password by a code, and notifies the owner. It revokes every session and open code, cancels a pending change
   * of the address, and ends the lockout because the address is verified.
   */
  async function confirmForgotPassword(
    { username, code, password }: { username: string; code: string; password: string },
    caller: Caller,
  ): Promise<void> {
    await assertPassword(password);
    await commitAttempt(db, async (tx) => {
      const user = await users.resolveUser(tx, username);
      const codeError = await codes.redeemCode(tx, user, 'reset', code);
      if (codeError) return codeError;
      await resetCounter(tx, user.id, 'password');
      const now = clock();
      const credential = createCredential(poolName, user.id, password);
      const changes = { credential, status: 'CONFIRMED', emailVerified: true, pendingEmail: null } as const;
      await users.update(tx, user.id, changes, now);
      await sessionRepository.revokeAll(tx, user.id, now);
      await deleteCodes(tx, user.id);
      await notifyOwner(tx, user, 'password-changed', caller);
      await recordAuditEvent(tx, { type: 'password_reset', userId: user.id });
      return undefined;
    });
  }

  return { signUp, confirmSignUp, resendConfirmationCode, forgotPassword, confirmForgotPassword };
}

export type UserService = ReturnType<typeof createUserService>;
