import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Caller } from '../caller.ts';
import type { Database } from '../database.ts';
import { Fault, faults } from '../faults.ts';
import { afterWrongPassword, isLocked } from '../limits/policy.ts';
import { changeAttempts, clearAttempts, lockAttempts, takeOne } from '../limits/repository.ts';
import { entryFault } from '../users/policy.ts';
import type { UserRepository } from '../users/repository.ts';
import type { Account, Person, Subject } from '../users/subject.ts';
import { isReuse, refreshFault, selfScope, sessionLifetime } from './policy.ts';
import type { Session, SessionRepository } from './repository.ts';

interface Ports {
  db: Database;
  users: UserRepository;
  sessions: SessionRepository;
  clientId: string;
  /** Seconds a replaced refresh token stays good; nothing where refresh tokens are not replaced. */
  rotationGrace: number | undefined;
  clock: () => Date;
}

/** Whether somebody knew a password, and the handshake they proved it by, if any. */
export interface Proof {
  subject: Subject;
  holds: boolean;
  handshake?: { id: string; expiresAt: Date };
}

/** Who tokens are for. The refresh token is there where a new one was made. */
export interface Entry {
  person: Person;
  session: Session;
  refreshToken?: string;
}

/** How a session begins: by default like a sign-in through the JSON operations, now. */
export interface Beginning {
  now: Date;
  agent: string | undefined;
  scope?: string;
  signedInAt?: Date;
  refreshable?: boolean;
}

const hashOf = (token: string) => createHash('sha256').update(token).digest();

/** Sign-ins, what keeps them alive and what ends them. */
export function createSessions({ db, users, sessions, clientId, rotationGrace, clock }: Ports) {
  async function newRefreshToken(tx: Database, sessionId: string, now: Date): Promise<string> {
    const token = randomBytes(48).toString('base64url');
    await sessions.addRefreshToken(tx, hashOf(token), sessionId, now);
    return token;
  }

  /** Begins a session, within the transaction that let the person in. */
  async function start(tx: Database, person: Person, beginning: Beginning): Promise<Entry> {
    const { now, agent, scope = selfScope, signedInAt = now, refreshable = true } = beginning;
    const session: Session = {
      id: randomUUID(),
      accountId: person.id,
      clientId,
      scope,
      signedInAt,
      expiresAt: new Date(now.getTime() + sessionLifetime),
      revokedAt: null,
      agent: agent ?? null,
      usedAt: now,
    };
    await sessions.insert(tx, session);
    if (!refreshable) return { person, session };
    return { person, session, refreshToken: await newRefreshToken(tx, session.id, now) };
  }

  async function countWrongPassword(
    tx: Database,
    subject: Subject,
    caller: Caller,
    now: Date,
  ): Promise<Fault> {
    const counted = await changeAttempts(tx, subject.id, 'wrong password', now, (previous) =>
      isLocked(previous, now) ? undefined : afterWrongPassword(previous, now),
    );
    if (!counted) return faults.lockedOut();
    if (caller.origin) await takeOne(tx, caller.origin, 'wrong password from here', now);
    return faults.wrongPassword();
  }

  /**
   * Lets somebody in, or says why not; `welcome` is what being let in means. Guesses made side by side are judged one
   * after the other, so that the lock-out holds for them too; what is refused here is counted before it is answered.
   */
  async function admit<T>(
    { subject, holds, handshake }: Proof,
    caller: Caller,
    welcome: (tx: Database, account: Account, now: Date) => Promise<T>,
  ): Promise<T> {
    const outcome = await db.transaction().execute(async (tx) => {
      const now = clock();
      if (handshake && !(await sessions.answerHandshake(tx, handshake.id, handshake.expiresAt))) {
        return faults.handshakeUsed();
      }
      if (isLocked(await lockAttempts(tx, subject.id, 'wrong password'), now)) return faults.lockedOut();
      if (!holds || !subject.real) return countWrongPassword(tx, subject, caller, now);
      await clearAttempts(tx, subject.id, 'wrong password');
      return entryFault(subject) ?? { welcomed: await welcome(tx, subject, now) };
    });
    if (outcome instanceof Fault) throw outcome;
    return outcome.welcomed;
  }

  /** Lets somebody in with a session for the JSON operations, or says why not. */
  function signIn(proof: Proof, caller: Caller): Promise<Entry> {
    return admit(proof, caller, (tx, account, now) => start(tx, account, { now, agent: caller.agent }));
  }

  /** Goes on with a sign-in by its refresh token, which is replaced where rotation is on. */
  async function refresh(token: string): Promise<Entry> {
    const hash = hashOf(token);
    const outcome = await db.transaction().execute(async (tx) => {
      const now = clock();
      const found = await sessions.findRefreshing(tx, hash);
      const flaw = refreshFault(found, clientId, rotationGrace ?? 0, now);
      // A token that comes back after it was replaced is in two hands: neither goes on.
      if (found && isReuse(found, rotationGrace ?? 0, now)) await sessions.revoke(tx, found.id, now);
      if (flaw || !found) return flaw ?? faults.refreshUnknown();
      const person = await users.person(tx, found.accountId);
      if (!person) return faults.refreshUnknown();
      const refusal = entryFault(person);
      if (refusal) return refusal;
      await sessions.touch(tx, found.id, now);
      if (rotationGrace === undefined) return { person, session: found };
      await sessions.replaceRefreshToken(tx, hash, now);
      return { person, session: found, refreshToken: await newRefreshToken(tx, found.id, now) };
    });
    if (outcome instanceof Fault) throw outcome;
    return outcome;
  }

  /** Ends the session of a refresh token, with its access tokens. An unknown one is no fault. */
  async function revoke(token: string): Promise<void> {
    if (token.split('.').length === 3) throw faults.notRefreshToken();
    const found = await sessions.findRefreshing(db, hashOf(token));
    if (found?.clientId === clientId) await sessions.revoke(db, found.id, clock());
  }

  /** Whose session an access token is of. Throws where it ended. */
  async function ownerOf(claims: { sub: string; origin_jti: string }): Promise<Person> {
    const session = await sessions.find(db, claims.origin_jti, claims.sub);
    if (!session || session.revokedAt) throw faults.accessRevoked();
    const person = await users.person(db, claims.sub);
    if (!person) throw faults.userGone();
    if (!person.enabled) throw faults.disabled();
    return person;
  }

  /** Ends every session of an account. */
  async function signOutEverywhere(accountId: string): Promise<void> {
    await sessions.revokeAll(db, accountId, clock());
  }

  /** Where somebody is signed in. */
  function list(accountId: string): Promise<Session[]> {
    return sessions.listOpen(db, accountId, clock());
  }

  /** Ends one of somebody's sessions. Out: whether there was one. */
  async function end(id: string, accountId: string): Promise<boolean> {
    const found = await sessions.find(db, id, accountId);
    if (!found || found.revokedAt) return false;
    await sessions.revoke(db, id, clock());
    return true;
  }

  /** Ends all of somebody's sessions but one. */
  async function endOthers(keep: string, accountId: string): Promise<void> {
    await sessions.revokeAll(db, accountId, clock(), keep);
  }

  return { list, end, endOthers, admit, start, signIn, refresh, revoke, ownerOf, signOutEverywhere };
}

export type Sessions = ReturnType<typeof createSessions>;
