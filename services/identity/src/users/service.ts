import { randomUUID } from 'node:crypto';
import type { Caller } from '../caller.ts';
import type { Codes } from '../codes/service.ts';
import type { Database } from '../database.ts';
import { Fault, faults } from '../faults.ts';
import { clearAttempts } from '../limits/repository.ts';
import type { Secrets } from '../secrets.ts';
import type { SessionRepository } from '../sessions/repository.ts';
import { isEmail, nameOf, passwordFault, readProfile } from './policy.ts';
import type { UserRepository } from './repository.ts';
import { newCredential, type Subject, shadowOf } from './subject.ts';

interface Ports {
  db: Database;
  secrets: Secrets;
  poolName: string;
  users: UserRepository;
  sessions: SessionRepository;
  codes: Codes;
  clock: () => Date;
}

interface SignUp {
  username: string;
  password: string;
  attributes: readonly { Name: string; Value: string }[];
}

/** Signing up, confirming the address, and a new password for who forgot theirs. */
export function createUsers({ db, secrets, poolName, users, sessions, codes, clock }: Ports) {
  /** Whom a username means: an account, or what stands in for one, at the same cost. */
  async function whoIs(on: Database, username: string): Promise<Subject> {
    const name = nameOf(username);
    const shadow = shadowOf(secrets, name);
    return (await users.find(on, name)) ?? shadow;
  }

  /**
   * Puts an account in and mails its code. An address that was never confirmed is taken too: whoever proves it by
   * ForgotPassword sets the password, so nobody is confirmed with a stranger's.
   */
  async function signUp({ username, password, attributes }: SignUp, caller: Caller) {
    const email = nameOf(username);
    if (!isEmail(email)) throw faults.usernameNotEmail();
    const profile = readProfile(email, attributes);
    if (profile instanceof Fault) throw profile;
    const flaw = passwordFault(password);
    if (flaw) throw flaw;
    const id = randomUUID();
    const credential = newCredential(poolName, id, password);
    await db.transaction().execute(async (tx) => {
      await codes.allowMailFrom(tx, caller);
      const account = { id, email, confirmed: false, credential, ...profile };
      if (!(await users.insert(tx, account, clock()))) throw faults.emailTaken();
      await codes.issue(tx, await whoIs(tx, id), 'sign-up', caller);
    });
    return { id, email };
  }

  /** The code proves the address. */
  async function confirmSignUp(username: string, code: string): Promise<void> {
    const refusal = await db.transaction().execute(async (tx) => {
      const subject = await whoIs(tx, username);
      if (subject.real && subject.status !== 'UNCONFIRMED') return faults.alreadyConfirmed();
      const flaw = await codes.redeem(tx, subject, 'sign-up', code);
      if (!flaw) await users.confirm(tx, subject.id, clock());
      return flaw;
    });
    if (refusal) throw refusal;
  }

  /** A new code for a sign-up, in the place of the one before. Out: where it went, or would have gone. */
  async function resendCode(username: string, caller: Caller): Promise<string> {
    return db.transaction().execute(async (tx) => {
      const subject = await whoIs(tx, username);
      if (subject.real && subject.status !== 'UNCONFIRMED') throw faults.nothingToConfirm();
      await codes.allowMail(tx, subject, 'sign-up', caller);
      await codes.issue(tx, subject, 'sign-up', caller);
      return subject.email;
    });
  }

  /** A code for a new password. Out: where it went, or would have gone: nobody learns who has an account. */
  async function forgotPassword(username: string, caller: Caller): Promise<string> {
    return db.transaction().execute(async (tx) => {
      const subject = await whoIs(tx, username);
      await codes.allowMail(tx, subject, 'reset', caller);
      await codes.issue(tx, subject, 'reset', caller);
      return subject.email;
    });
  }

  /** A new password for a code. Ends every session, and the lock-out: the address is proved. */
  async function confirmForgotPassword(username: string, code: string, password: string): Promise<void> {
    const flaw = passwordFault(password);
    if (flaw) throw flaw;
    const refusal = await db.transaction().execute(async (tx) => {
      const subject = await whoIs(tx, username);
      const mismatch = await codes.redeem(tx, subject, 'reset', code);
      if (mismatch) return mismatch;
      const now = clock();
      await users.renew(tx, subject.id, newCredential(poolName, subject.id, password), now);
      await sessions.revokeAll(tx, subject.id, now);
      await clearAttempts(tx, subject.id, 'wrong password');
      return undefined;
    });
    if (refusal) throw refusal;
  }

  return { whoIs, signUp, confirmSignUp, resendCode, forgotPassword, confirmForgotPassword };
}

export type Users = ReturnType<typeof createUsers>;
