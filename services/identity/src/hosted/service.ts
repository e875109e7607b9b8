import { createHash } from 'node:crypto';
import type { Caller } from '../caller.ts';
import type { Database } from '../database.ts';
import type { Secrets } from '../secrets.ts';
import type { Sessions } from '../sessions/service.ts';
import type { PasswordSignIn } from '../srp/service.ts';
import { equalBytes } from '../srp/srp.ts';
import { entryFault } from '../users/policy.ts';
import type { UserRepository } from '../users/repository.ts';
import type { Person } from '../users/subject.ts';
import { newCookieValue } from './cookies.ts';
import type { HostedRepository } from './repository.ts';

interface Ports {
  db: Database;
  secrets: Secrets;
  users: UserRepository;
  hosted: HostedRepository;
  sessions: Sessions;
  signIn: PasswordSignIn;
  clock: () => Date;
}

/** How long a browser stays signed in at the hosted pages, in milliseconds: an hour, as Cognito's cookie. */
export const hostedLifetime = 3_600_000;

/** Somebody who is signed in at the hosted pages, and since when. */
export interface SignedIn {
  person: Person;
  signedInAt: Date;
}

const hashOf = (value: string) => createHash('sha256').update(value).digest();

/** Who is signed in at the hosted pages: begun by a password or another provider, kept on the server, ended by /logout. */
export function createHosted({ db, secrets, users, hosted, sessions, signIn, clock }: Ports) {
  /** Signs a browser in. Out: the value of its cookie. */
  async function start(tx: Database, person: Person, now: Date): Promise<string> {
    const value = newCookieValue();
    const expiresAt = new Date(now.getTime() + hostedLifetime);
    await hosted.insert(tx, { hash: hashOf(value), accountId: person.id, signedInAt: now, expiresAt });
    return value;
  }

  /**
   * Signs a browser in by address and password, and does `then` with who it is in the same transaction. Throws the
   * refusals of any sign-in by password, which count as theirs do.
   */
  async function byPassword<T>(
    given: { email: string; password: string },
    caller: Caller,
    then: (tx: Database, signedIn: SignedIn) => Promise<T>,
  ): Promise<{ cookie: string; result: T }> {
    const proof = await signIn.check(given.email, given.password, caller);
    return sessions.admit(proof, caller, async (tx, person, now) => ({
      cookie: await start(tx, person, now),
      result: await then(tx, { person, signedInAt: now }),
    }));
  }

  /** Who a cookie says is signed in, if they still are. */
  async function find(cookie: string | undefined): Promise<SignedIn | undefined> {
    const found = cookie === undefined ? undefined : await hosted.find(db, hashOf(cookie));
    if (!found || found.expiresAt <= clock()) return undefined;
    const person = await users.person(db, found.accountId);
    return person && !entryFault(person) ? { person, signedInAt: found.signedInAt } : undefined;
  }

  async function end(cookie: string): Promise<void> {
    await hosted.end(db, hashOf(cookie));
  }

  /** What a form of ours must bring back from this browser. */
  const formToken = (browser: string) => secrets.mac('form', browser).toString('base64url');

  const isFormToken = (browser: string | undefined, token: string): boolean =>
    browser !== undefined && equalBytes(Buffer.from(formToken(browser)), Buffer.from(token));

  return { start, byPassword, find, end, formToken, isFormToken };
}

export type Hosted = ReturnType<typeof createHosted>;
