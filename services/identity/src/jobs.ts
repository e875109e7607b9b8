import { randomUUID } from 'node:crypto';
import type { Log } from '@escucho/database';
import { defineJob, handleJob, type JobHandler } from '@escucho/jobs';
import { type MailTransport, PermanentMailError } from '@escucho/service-kit';
import * as z from 'zod/mini';
import type { Secrets } from './crypto.ts';
import type { Database } from './database.ts';
import { deleteExpiredRows } from './expiry-repository.ts';
import { jobQueue, type Mailer, toMailJobKey } from './mail/repository.ts';

/** Sends a mail. The content is encrypted because it contains a code and an address. */
const sendMail = defineJob({
  name: 'send_mail',
  payload: z.object({ id: z.uuid(), encryptedContent: z.string() }),
});

const mailContent = z.object({
  deliver: z.boolean(),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  /** Milliseconds since the epoch. */
  expiresAt: z.number(),
});

/** Creates the mailer that sends mail by background jobs. */
export function createQueueMailer(secrets: Secrets): Mailer {
  return {
    async enqueue(tx, { accountId, to, subject, text, html, purpose, expiresAt }, deliver = true) {
      const id = randomUUID();
      const content = { deliver, to, subject, text, html, expiresAt: expiresAt.getTime() };
      const encrypted = secrets.encrypt('mail', id, Buffer.from(JSON.stringify(content)));
      const payload = { id, encryptedContent: encrypted.toString('base64') };
      await jobQueue.enqueue(tx, sendMail, payload, { key: toMailJobKey(accountId, purpose ?? id) });
    },
  };
}

interface SendMailDeps {
  secrets: Secrets;
  transport: MailTransport;
  log: Pick<Log, 'warn'>;
  clock: () => Date;
}

/** Creates the handler of queued mail. Expired mail and what the mail server rejects permanently is dropped. */
export function createSendMailHandler({ secrets, transport, log, clock }: SendMailDeps): JobHandler {
  return handleJob(sendMail, async ({ id, encryptedContent }) => {
    const plain = secrets.decrypt('mail', id, Buffer.from(encryptedContent, 'base64'));
    if (!plain) {
      log.warn({ mail: id }, 'mail dropped: it does not decrypt with the identity secret');
      return;
    }
    const { deliver, expiresAt, ...mail } = mailContent.parse(JSON.parse(plain.toString()));
    if (!deliver) return;
    if (expiresAt <= clock().getTime()) {
      log.warn({ mail: id }, 'mail dropped: it has expired');
      return;
    }
    try {
      await transport.send({ id, ...mail });
    } catch (error) {
      if (!(error instanceof PermanentMailError)) throw error;
      log.warn({ mail: id, reason: error.message }, 'mail dropped: the mail server rejected it');
    }
  });
}

const deleteExpired = defineJob({ name: 'delete_expired', payload: z.object({}) });

/** Deletes expired rows every ten minutes. */
export const cleanupSchedule = [{ job: deleteExpired, cron: '*/10 * * * *' }];

/** Creates the handler that deletes expired rows. */
export function createCleanupHandler(db: Database, clock: () => Date): JobHandler {
  return handleJob(deleteExpired, () => deleteExpiredRows(db, clock()));
}
