import { recordAuditEvent } from '@escucho/audit';
import type { Caller } from '../caller.ts';
import { deleteCodes } from '../codes/repository.ts';
import { commitAttempt, type Database } from '../database.ts';
import type { PoolDeps } from '../deps.ts';
import { cognitoErrors } from '../errors.ts';
import { sessionRepository } from '../sessions/repository.ts';
import type { SessionService } from '../sessions/service.ts';
import type { PasswordSignInService } from '../sign-in/password-service.ts';
import { isRecentSignIn, type TokenService } from '../tokens/service.ts';
import { assertPassword, parseProfileUpdate } from './policy.ts';
import { createCredential, type User } from './user.ts';

interface AccountServiceDeps extends PoolDeps {
  sessions: SessionService;
  signIn: PasswordSignInService;
}

/** The signed-in user, and the session the request belongs to. */
export interface AccountOwner {
  user: User;
  sessionId: string;
}

/**
 * Returns a function that finds the user of an access token; for sensitive changes, the user must have signed in
 * recently.
 */
export const createOwnerLookup =
  ({ sessions, tokens, clock }: { sessions: SessionService; tokens: TokenService; clock: () => Date }) =>
  async (accessToken: string, { isSensitive = false } = {}): Promise<AccountOwner> => {
    const claims = await tokens.verifyAccessToken(accessToken);
    const user = await sessions.getTokenOwner(claims);
    if (isSensitive && !isRecentSignIn(claims, clock())) throw cognitoErrors.reauthenticationRequired();
    return { user, sessionId: claims.origin_jti };
  };

export type OwnerLookup = ReturnType<typeof createOwnerLookup>;

/** Creates the service by which users change and delete their own account. */
export function createAccountService(deps: AccountServiceDeps) {
  const { db, poolName, users, sessions, signIn, codes, notifyOwner, clock } = deps;

  /**
   * Changes the password and notifies the owner. It revokes every other session and open code, and cancels a pending change
   * of the address. Wrong passwords count towards the lockout of sign-in.
   */
  async function changePassword(
    { user, sessionId }: AccountOwner,
    { previous, proposed }: { previous: string; proposed: string },
    caller: Caller,
  ): Promise<void> {
    if (user.federated) throw cognitoErrors.noPassword();
    await assertPassword(proposed);
    const check = await signIn.checkPassword(user.id, previous, caller);
    await sessions.authenticate(check, caller, async (tx, { id, email }, now) => {
      const credential = createCredential(poolName, id, proposed);
      await users.update(tx, id, { credential, pendingEmail: null }, now);
      await sessionRepository.revokeAll(tx, id, now, sessionId);
      await deleteCodes(tx, id);
      await notifyOwner(tx, { id, email }, 'password-changed', caller);
      await recordAuditEvent(tx, { type: 'password_changed', userId: id });
    });
  }

  /**
   * Mails a code to the pending address of a user, or else to the current one; returns the address. Where it belongs to
   * another account, its owner is notified instead, with the same response.
   */
  async function mailCode(tx: Database, { id }: User, caller: Caller): Promise<string> {
    const user = await users.findLocalUser(tx, id);
    if (!user) throw cognitoErrors.userNotFound();
    const email = user.pendingEmail ?? user.email;
    const isTaken = email !== user.email && (await users.isEmailTaken(tx, email));
    const notification = isTaken ? 'account-exists' : undefined;
    return codes.requestCode(tx, { ...user, email }, 'email', caller, { notification });
  }

  /**
   * Updates names and phone number. A new email address takes effect once its code is verified.
   * @returns the address a code was mailed to, if any
   */
  async function updateAttributes(
    { user }: AccountOwner,
    attributes: readonly { Name: string; Value: string }[],
    caller: Caller,
  ): Promise<string | undefined> {
    const { email, profile } = parseProfileUpdate(attributes);
    if (email !== undefined && user.federated) throw cognitoErrors.attributeReadOnly();
    return db.transaction().execute(async (tx) => {
      const isNew = email !== undefined && email !== user.email;
      const pending = email !== undefined && { pendingEmail: isNew ? email : null };
      await users.update(tx, user.id, { ...profile, ...pending }, clock());
      if (!isNew) return undefined;
      await recordAuditEvent(tx, { type: 'email_change_requested', userId: user.id, details: { email } });
      return mailCode(tx, user, caller);
    });
  }

  function checkVerifiable(attribute: string, { user }: AccountOwner): void {
    if (attribute !== 'email' || user.federated) throw cognitoErrors.notVerifiable();
  }

  /** Mails another code; returns the address. */
  async function resendVerificationCode(
    owner: AccountOwner,
    attribute: string,
    caller: Caller,
  ): Promise<string> {
    checkVerifiable(attribute, owner);
    return db.transaction().execute((tx) => mailCode(tx, owner.user, caller));
  }

  /**
   * Verifies the email address by a code. A new one becomes the username: every other session and open code is revoked, and
   * the previous address is notified.
   */
  async function verifyAttribute(
    owner: AccountOwner,
    attribute: string,
    code: string,
    caller: Caller,
  ): Promise<void> {
    checkVerifiable(attribute, owner);
    await commitAttempt(db, async (tx) => {
      const user = await users.lockLocalUser(tx, owner.user.id);
      if (!user) return cognitoErrors.userNotFound();
      const email = user.pendingEmail ?? user.email;
      const codeError = await codes.redeemCode(tx, { ...user, email }, 'email', code);
      if (codeError) return codeError;
      const now = clock();
      if (email !== user.email) await users.deleteSignUp(tx, email);
      await users.update(tx, user.id, { email, emailVerified: true, pendingEmail: null }, now);
      const type = email === user.email ? 'email_verified' : 'email_changed';
      await recordAuditEvent(tx, { type, userId: user.id, details: { email } });
      if (email === user.email) return undefined;
      await sessionRepository.revokeAll(tx, user.id, now, owner.sessionId);
      await deleteCodes(tx, user.id);
      if (user.emailVerified) await notifyOwner(tx, user, 'email-changed', caller);
      return undefined;
    });
  }

  async function deleteAccount({ user }: AccountOwner): Promise<void> {
    await db.transaction().execute((tx) => users.deleteUser(tx, user.id));
  }

  return { changePassword, updateAttributes, resendVerificationCode, verifyAttribute, deleteAccount };
}

export type AccountService = ReturnType<typeof createAccountService>;
