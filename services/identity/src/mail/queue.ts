import { randomUUID } from 'node:crypto';
import { type MailTransport, PermanentMailError } from '@escucho/service-kit';
import * as z from 'zod/mini';
import type { Secrets } from '../crypto.ts';
import type { Database } from '../database.ts';
import type { Mailer } from './mailer.ts';
import { type QueuedMail, queueRepository } from './queue-repository.ts';

const content = z.object({ subject: z.string(), text: z.string(), html: z.string() });

/** How long after the n-th failure a mail is tried again, in milliseconds: 5 seconds, twice as long each time, ten minutes at most. */
export function retryDelay(failures: number): number {
  return Math.min(5000 * 2 ** (failures - 1), 600_000);
}

/** The mailer that puts mail into the queue, its content sealed: it holds a code. */
export function queueMailer(secrets: Secrets): Mailer {
  return {
    async enqueue(tx, { accountId, to, subject, text, html, createdAt, expiresAt }, deliver = true) {
      const id = randomUUID();
      const sealed = secrets.encrypt('mail', id, Buffer.from(JSON.stringify({ subject, text, html })));
      await queueRepository.insert(
        tx,
        { id, accountId, recipient: to, sealed, expiresAt, reached: deliver },
        createdAt,
      );
    },
  };
}

interface Ports {
  db: Database;
  secrets: Secrets;
  letterbox: MailTransport;
  report: (detail: object, message: string) => void;
  clock: () => Date;
}

/**
 * Sends what is in the queue. Any number of processes may do so at once: each holds the mail it sends, in a transaction
 * that a dying process gives up, so that mail is sent at least once, and twice only where a process dies in between.
 */
export function createPostman({ db, secrets, letterbox, report, clock }: Ports) {
  async function send(tx: Database, mail: QueuedMail): Promise<'sent' | 'dropped' | 'failed'> {
    const { id, recipient, sealed, attempts, expiresAt } = mail;
    const plain = secrets.decrypt('mail', id, sealed);
    if (!plain || expiresAt <= clock()) {
      report({ mail: id, attempts }, 'mail given up: its code is of no use any more');
      await queueRepository.remove(tx, id);
      return 'dropped';
    }
    try {
      await letterbox.send({ id, to: recipient, ...content.parse(JSON.parse(plain.toString())) });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (error instanceof PermanentMailError) {
        report({ mail: id, reason }, 'mail given up: the mail server refuses it');
        await queueRepository.remove(tx, id);
        return 'dropped';
      }
      const failures = attempts + 1;
      report({ mail: id, attempts: failures, reason }, 'mail could not be sent yet');
      await queueRepository.postpone(tx, id, failures, new Date(clock().getTime() + retryDelay(failures)));
      return 'failed';
    }
    await queueRepository.remove(tx, id);
    return 'sent';
  }

  /** Sends all that is due, one after another; a failure ends the round, for the next would most likely fail too. */
  async function round(): Promise<void> {
    for (;;) {
      const outcome = await db.transaction().execute(async (tx) => {
        const mail = await queueRepository.takeDue(tx, clock());
        return mail && send(tx, mail);
      });
      if (outcome === undefined || outcome === 'failed') return;
    }
  }

  return { round };
}
