import { randomUUID } from 'node:crypto';
import type { Caller } from '../caller.ts';
import type { Database } from '../database.ts';
import { faults } from '../faults.ts';
import { isLocked, isSpent } from '../limits/policy.ts';
import { findAttempts } from '../limits/repository.ts';
import type { Secrets } from '../secrets.ts';
import type { Entry, Proof, Sessions } from '../sessions/service.ts';
import { nameOf } from '../users/policy.ts';
import type { Users } from '../users/service.ts';
import type { Subject } from '../users/subject.ts';
import { toBytes } from './group.ts';
import {
  type Handshake,
  handshakeLifetime,
  newSecretNumber,
  openHandshake,
  sealHandshake,
} from './handshake.ts';
import {
  claimKey,
  equalBytes,
  publicNumber,
  readPublicNumber,
  scrambler,
  sharedSecret,
  signClaim,
  verifierOf,
} from './srp.ts';
import { readTimestamp } from './timestamp.ts';

interface Ports {
  db: Database;
  secrets: Secrets;
  poolName: string;
  users: Users;
  sessions: Sessions;
  clock: () => Date;
}

/** What a client answers a PASSWORD_VERIFIER challenge with, as sent. */
export interface Answer {
  username: string;
  secretBlock: string;
  timestamp: string;
  signature: string;
}

/** How far a client's clock may be off, in milliseconds. The handshake has its own, shorter life by ours. */
const clockTolerance = 3_600_000;

/** Sign-in by password: as a proof that does not show it (SRP), or in the clear. */
export function createPasswordSignIn({ db, secrets, poolName, users, sessions, clock }: Ports) {
  async function refuseLocked(subject: Subject, { origin }: Caller): Promise<void> {
    const now = clock();
    if (isLocked(await findAttempts(db, subject.id, 'wrong password'), now)) throw faults.lockedOut();
    const kind = 'wrong password from here';
    if (origin && isSpent(await findAttempts(db, origin, kind), kind, now)) throw faults.tooBusy();
  }

  /** The challenge: the same for who is there and who is not. In: SRP_A as sent. */
  async function begin(username: string, publicA: string, caller: Caller) {
    const A = readPublicNumber(publicA);
    if (A === undefined) throw faults.publicNumber();
    const subject = await users.whoIs(db, username);
    await refuseLocked(subject, caller);
    const { salt, verifier } = subject.credential;
    const b = newSecretNumber();
    const handshake: Handshake = {
      id: randomUUID(),
      userId: subject.id,
      name: nameOf(username),
      A,
      B: publicNumber(verifier, b),
      b,
      expiresAt: new Date(clock().getTime() + handshakeLifetime),
    };
    return {
      SALT: salt.toString(16),
      SRP_B: handshake.B.toString(16),
      SECRET_BLOCK: sealHandshake(secrets, handshake).toString('base64'),
      USER_ID_FOR_SRP: subject.id,
      USERNAME: subject.id,
    };
  }

  function proves(answer: Answer, block: Buffer, { A, B, b }: Handshake, subject: Subject): boolean {
    const u = scrambler(A, B);
    const S = sharedSecret(A, subject.credential.verifier, u, b);
    if (S === undefined) return false;
    const claim = { poolName, userId: subject.id, secretBlock: block, timestamp: answer.timestamp };
    return equalBytes(Buffer.from(answer.signature, 'base64'), signClaim(claimKey(S, u), claim));
  }

  /** The second call: the proof, for the handshake and the person it was begun for, within its three minutes, once. */
  async function answer(given: Answer, caller: Caller): Promise<Entry> {
    const moment = readTimestamp(given.timestamp);
    if (!moment) throw faults.timestampFormat();
    const now = clock();
    if (Math.abs(moment.getTime() - now.getTime()) > clockTolerance) throw faults.timestampStale();
    const block = Buffer.from(given.secretBlock, 'base64');
    const handshake = openHandshake(secrets, block);
    if (!handshake) throw faults.handshakeUnknown();
    const name = nameOf(given.username);
    if (name !== handshake.userId && name !== handshake.name) throw faults.handshakeUnknown();
    if (handshake.expiresAt <= now) throw faults.handshakeExpired();
    const subject = await users.whoIs(db, handshake.userId);
    await refuseLocked(subject, caller);
    const holds = proves(given, block, handshake, subject);
    return sessions.signIn({ subject, holds, handshake }, caller);
  }

  /** Whether a password in the clear is somebody's: the verifier is computed again from it. */
  async function check(username: string, password: string, caller: Caller): Promise<Proof> {
    const subject = await users.whoIs(db, username);
    await refuseLocked(subject, caller);
    const { salt, verifier } = subject.credential;
    const claimed = verifierOf(poolName, subject.id, password, salt);
    return { subject, holds: equalBytes(toBytes(claimed), toBytes(verifier)) };
  }

  /** USER_PASSWORD_AUTH. */
  async function byPassword(username: string, password: string, caller: Caller): Promise<Entry> {
    return sessions.signIn(await check(username, password, caller), caller);
  }

  return { begin, answer, check, byPassword };
}

export type PasswordSignIn = ReturnType<typeof createPasswordSignIn>;
