import type { Caller } from '../caller.ts';
import type { Codes } from '../codes/service.ts';
import type { Database } from '../database.ts';
import { Fault, faults } from '../faults.ts';
import type { Mailer } from '../mail/mailer.ts';
import { noticeMail } from '../mail/texts.ts';
import type { SessionRepository } from '../sessions/repository.ts';
import type { Sessions } from '../sessions/service.ts';
import type { PasswordSignIn } from '../srp/service.ts';
import { passwordFault, readChanges } from './policy.ts';
import type { UserRepository } from './repository.ts';
import { newCredential, type Person } from './subject.ts';

interface Ports {
  db: Database;
  poolName: string;
  users: UserRepository;
  sessions: Sessions;
  sessionRows: SessionRepository;
  signIn: PasswordSignIn;
  codes: Codes;
  mail: Mailer;
  clock: () => Date;
}

/** How long news is worth sending, in milliseconds. */
const newsLifetime = 3 * 24 * 3_600_000;

/** Somebody signed in, and the session they ask from. */
export interface Owner {
  person: Person;
  sessionId: string;
}

/** What people change about their own account: password, names, address; and how they leave. */
export function createOwnAccount(ports: Ports) {
  const { db, poolName, users, sessions, sessionRows, signIn, codes, mail, clock } = ports;

  /** A new password by the one before, which is guessed at no oftener than at sign-in. Ends every other session. */
  async function changePassword(
    { person, sessionId }: Owner,
    { previous, proposed }: { previous: string; proposed: string },
    caller: Caller,
  ): Promise<void> {
    if (person.door) throw faults.noPassword();
    const flaw = passwordFault(proposed);
    if (flaw) throw flaw;
    const proof = await signIn.check(person.id, previous, caller);
    await sessions.admit(proof, caller, async (tx, account, now) => {
      await users.setPassword(tx, account.id, newCredential(poolName, account.id, proposed), now);
      await sessionRows.revokeAll(tx, account.id, now, sessionId);
    });
  }

  /** Mails a code to an address that is to be somebody's, or is already. Out: the address. */
  async function mailCode(tx: Database, person: Person, email: string, caller: Caller): Promise<string> {
    const account = await users.find(tx, person.id);
    if (!account) throw faults.userGone();
    const addressee = { ...account, email };
    await codes.allowMail(tx, addressee, 'email', caller);
    await codes.issue(tx, addressee, 'email', caller);
    return email;
  }

  /**
   * Changes names and telephone at once; an address only once its code proves it, until then the one before stays.
   * Out: where a code went, if one did.
   */
  async function update(
    { person }: Owner,
    attributes: readonly { Name: string; Value: string }[],
    caller: Caller,
  ): Promise<string | undefined> {
    const changes = readChanges(attributes);
    if (changes instanceof Fault) throw changes;
    const { email, profile } = changes;
    if (email !== undefined && person.door) throw faults.attributeReadOnly();
    return db.transaction().execute(async (tx) => {
      await users.setProfile(tx, person.id, profile, clock());
      if (email === undefined) return undefined;
      if (email === person.email) {
        await users.setPendingEmail(tx, person.id, null);
        return undefined;
      }
      if (await users.isTaken(tx, email)) throw faults.emailExists();
      await users.setPendingEmail(tx, person.id, email);
      return mailCode(tx, person, email, caller);
    });
  }

  function checkVerifiable(attribute: string, { person }: Owner): void {
    if (attribute !== 'email' || person.door) throw faults.notVerifiable();
  }

  /** A code once more, to the address that waits for one, else to the present one. Out: where it went. */
  async function resendCode(owner: Owner, attribute: string, caller: Caller): Promise<string> {
    checkVerifiable(attribute, owner);
    return db.transaction().execute(async (tx) => {
      const pending = await users.pendingEmail(tx, owner.person.id);
      return mailCode(tx, owner.person, pending ?? owner.person.email ?? '', caller);
    });
  }

  /** Tells whoever reads the address that an account had until now. */
  async function tellFormer(tx: Database, former: Person, caller: Caller): Promise<void> {
    if (former.email === null || !former.emailVerified) return;
    const [createdAt, accountId, to] = [clock(), former.id, former.email];
    const expiresAt = new Date(createdAt.getTime() + newsLifetime);
    const text = noticeMail('email-changed', caller.language);
    await mail.post(tx, { accountId, to, ...text, code: null, createdAt, expiresAt });
  }

  /** The code proves the address, which from now on is the one to sign in with; the one before is told. */
  async function verify(owner: Owner, attribute: string, code: string, caller: Caller): Promise<void> {
    checkVerifiable(attribute, owner);
    const refusal = await db.transaction().execute(async (tx) => {
      const account = await users.find(tx, owner.person.id);
      if (!account) return faults.userGone();
      const flaw = await codes.redeem(tx, account, 'email', code);
      if (flaw) return flaw;
      const email = (await users.pendingEmail(tx, account.id)) ?? account.email;
      await users.setEmail(tx, account.id, email, clock());
      if (email !== account.email) await tellFormer(tx, account, caller);
      return undefined;
    });
    if (refusal) throw refusal;
  }

  /** Forgets the account, with all that is its. */
  async function erase({ person }: Owner): Promise<void> {
    await db.transaction().execute((tx) => users.erase(tx, person));
  }

  return { changePassword, update, resendCode, verify, erase };
}

export type OwnAccount = ReturnType<typeof createOwnAccount>;
