import { randomUUID } from 'node:crypto';
import { recordAuditEvent } from '@escucho/audit';
import type { Caller } from '../caller.ts';
import { deleteCodes } from '../codes/repository.ts';
import type { VerificationCodeService } from '../codes/service.ts';
import type { Secrets } from '../crypto.ts';
import type { Database } from '../database.ts';
import { cognitoErrors } from '../errors.ts';
import type { Notifier } from '../mail/notifications.ts';
import { resetCounter } from '../rate-limits/repository.ts';
import { sessionRepository } from '../sessions/repository.ts';
import { assertPassword, isEmail, normalizeUsername, parseProfile } from './policy.ts';
import type { UserRepository } from './repository.ts';
import { createCredential, createDecoyUser, type ResolvedUser } from './user.ts';

interface UserServiceDeps {
  db: Database;
  secrets: Secrets;
  poolName: string;
  users: UserRepository;
  codes: VerificationCodeService;
  notifyOwner: Notifier;
  clock: () => Date;
}

interface SignUpInput {
  username: string;
  password: string;
  attributes: readonly { Name: string; Value: string }[];
}

/** Creates the service for sign-up, confirmation and password recovery. */
export function createUserService(deps: UserServiceDeps) {
  const { db, secrets, poolName, users, codes, notifyOwner, clock } = deps;

  /** Returns the user of a username, or a decoy; both take the same time. */
  async function resolveUser(on: Database, username: string): Promise<ResolvedUser> {
    const normalized = normalizeUsername(username);
    const decoy = createDecoyUser(secrets, normalized);
    return (await users.findLocalUser(on, normalized)) ?? decoy;
  }

  const findOrDecoy = (username: string) => resolveUser(db, username);

  /**
   * Signs a user up and mails a code. An unconfirmed address counts as taken: its owner takes it over by ForgotPassword,
   * which sets the password, so nobody confirms a password that a stranger chose.
   */
  async function signUp({ username, password, attributes }: SignUpInput, caller: Caller) {
    const email = normalizeUsername(username);
    if (!isEmail(email)) throw cognitoErrors.usernameNotEmail();
    const profile = parseProfile(email, attributes);
    assertPassword(password);
    const id = randomUUID();
    const credential = createCredential(poolName, id, password);
    await db.transaction().execute(async (tx) => {
      await codes.consumeMailLimits(caller);
      const user = { id, email, confirmed: false, credential, ...profile };
      if (!(await users.insert(tx, user, clock()))) throw cognitoErrors.usernameExists();
      await recordAuditEvent(tx, { type: 'account_created', userId: id });
      await codes.issueCode(tx, await resolveUser(tx, id), 'sign-up', caller);
    });
    return { id, email };
  }

  async function confirmSignUp(username: string, code: string): Promise<void> {
    const error = await db.transaction().execute(async (tx) => {
      const user = await resolveUser(tx, username);
      if (user.exists && user.status !== 'UNCONFIRMED') return cognitoErrors.alreadyConfirmed();
      const codeError = await codes.redeemCode(tx, user, 'sign-up', code);
      if (codeError) return codeError;
      await users.update(tx, user.id, { status: 'CONFIRMED', emailVerified: true }, clock());
      await recordAuditEvent(tx, { type: 'email_verified', userId: user.id, details: { email: user.email } });
      return undefined;
    });
    if (error) throw error;
  }

  /** Mails a new code that replaces the previous one; returns the address, also where there is no such user. */
  async function resendConfirmationCode(username: string, caller: Caller): Promise<string> {
    return db.transaction().execute(async (tx) => {
      const user = await resolveUser(tx, username);
      if (user.exists && user.status !== 'UNCONFIRMED') throw cognitoErrors.nothingToConfirm();
      return codes.requestCode(tx, user, 'sign-up', caller);
    });
  }

  /** Mails a code for a new password; returns the address, also where there is no such user. */
  async function forgotPassword(username: string, caller: Caller): Promise<string> {
    return db
      .transaction()
      .execute(async (tx) => codes.requestCode(tx, await resolveUser(tx, username), 'reset', caller));
  }

  /**
   * Sets a new password by a code, and notifies the owner. It revokes every session and open code, cancels a pending change
   * of the address, and ends the lockout because the address is verified.
   */
  async function confirmForgotPassword(
    { username, code, password }: { username: string; code: string; password: string },
    caller: Caller,
  ): Promise<void> {
    assertPassword(password);
    const error = await db.transaction().execute(async (tx) => {
      const user = await resolveUser(tx, username);
      const codeError = await codes.redeemCode(tx, user, 'reset', code);
      if (codeError) return codeError;
      const now = clock();
      const credential = createCredential(poolName, user.id, password);
      const changes = { credential, status: 'CONFIRMED', emailVerified: true, pendingEmail: null } as const;
      await users.update(tx, user.id, changes, now);
      await sessionRepository.revokeAll(tx, user.id, now);
      await deleteCodes(tx, user.id);
      await notifyOwner(tx, user, 'password-changed', caller);
      await resetCounter(tx, user.id, 'password');
      await recordAuditEvent(tx, { type: 'password_reset', userId: user.id });
      return undefined;
    });
    if (error) throw error;
  }

  return {
    resolveUser,
    findOrDecoy,
    signUp,
    confirmSignUp,
    resendConfirmationCode,
    forgotPassword,
    confirmForgotPassword,
  };
}

export type UserService = ReturnType<typeof createUserService>;
