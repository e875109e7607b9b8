import { randomBytes } from 'node:crypto';
import type { Caller } from '../caller.ts';
import type { CodePurpose, Database } from '../database.ts';
import { type Fault, faults } from '../faults.ts';
import { takeOne } from '../limits/repository.ts';
import type { Mailer } from '../mail/mailer.ts';
import { codeMail } from '../mail/texts.ts';
import type { Secrets } from '../secrets.ts';
import { equalBytes } from '../srp/srp.ts';
import type { Subject } from '../users/subject.ts';
import { codeLifetime, freeMisses, newCode } from './policy.ts';
import { burnCode, countMiss, lockCode, replaceCode } from './repository.ts';

interface Ports {
  secrets: Secrets;
  mail: Mailer;
  clock: () => Date;
}

/** Codes that prove an address: made, mailed, redeemed once. Only a keyed hash is kept (IDP-03). */
export function createCodes({ secrets, mail, clock }: Ports) {
  const hashOf = (subject: string, purpose: CodePurpose, code: string) =>
    secrets.mac('code', subject, purpose, code);

  /**
   * Makes a code in the place of the one before, and mails it. That of a shadow or a disabled account fits nothing and
   * goes nowhere, by the same work.
   */
  async function issue(tx: Database, subject: Subject, purpose: CodePurpose, caller: Caller): Promise<void> {
    const now = clock();
    const code = newCode();
    const reached = subject.real && subject.enabled;
    const [right, wrong] = [hashOf(subject.id, purpose, code), randomBytes(32)];
    const expiresAt = new Date(now.getTime() + codeLifetime[purpose]);
    await replaceCode(tx, subject.id, purpose, reached ? right : wrong, expiresAt);
    const text = codeMail(purpose, code, caller.language);
    const [accountId, to] = [subject.id, subject.email];
    await mail.post(tx, { accountId, to, ...text, code, createdAt: now, expiresAt }, reached);
  }

  /**
   * Uses a code up. Out: nothing where it was right; else the refusal, whose count is to be committed. A wrong try
   * counts against the code and against the hour; fifteen burn the one and close the other.
   */
  async function redeem(
    tx: Database,
    subject: Subject,
    purpose: CodePurpose,
    given: string,
  ): Promise<Fault | undefined> {
    const now = clock();
    if (!(await takeOne(tx, subject.id, `${purpose} code`, now))) return faults.tooOften();
    const code = await lockCode(tx, subject.id, purpose);
    if (!code || code.expiresAt <= now) return faults.codeExpired();
    const right = equalBytes(code.hash, hashOf(subject.id, purpose, given));
    if (right || code.misses + 1 >= freeMisses) await burnCode(tx, subject.id, purpose);
    else await countMiss(tx, subject.id, purpose, code.misses + 1);
    return right ? undefined : faults.codeMismatch();
  }

  /** Takes one mail from what the caller's network is allowed, or refuses. */
  async function allowMailFrom(tx: Database, { origin }: Caller): Promise<void> {
    if (origin !== undefined && !(await takeOne(tx, origin, 'mail from here', clock()))) {
      throw faults.tooOften();
    }
  }

  /** Takes one mail from what the person, and the caller's network, are allowed, or refuses. */
  async function allowMail(
    tx: Database,
    subject: Subject,
    purpose: CodePurpose,
    caller: Caller,
  ): Promise<void> {
    if (!(await takeOne(tx, subject.id, `${purpose} mail`, clock()))) throw faults.tooOften();
    await allowMailFrom(tx, caller);
  }

  return { issue, redeem, allowMail, allowMailFrom };
}

export type Codes = ReturnType<typeof createCodes>;
