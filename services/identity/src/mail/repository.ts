import { createJobQueue } from '@escucho/jobs';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { Secrets } from '../crypto.ts';
import type { CodePurpose, Database } from '../database.ts';

/** A mail as the outbox shows it. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** The verification code in the text, if any. */
  code: string | null;
  createdAt: Date;
}

interface OutgoingMail extends Mail {
  /** The account the mail is about; deleting it deletes the mail. */
  accountId: string;
  html: string;
  /** The code's purpose. The mail replaces a waiting one of the same account and purpose, whose code is not valid any more. */
  purpose?: CodePurpose;
  /** From then on the mail is not delivered any more. */
  expiresAt: Date;
}

export interface Mailer {
  /**
   * Enqueues a mail in the transaction that caused it.
   * @param deliver false for a mail that reaches nobody: the work is the same, so that its time does not reveal whether
   *   an account exists
   */
  enqueue(tx: Database, mail: OutgoingMail, deliver?: boolean): Promise<void>;
}

const MAX_LISTED_MAILS = 100;

/** The background jobs of this service. */
export const jobQueue = createJobQueue('identity');

/**
 * Returns the key of a mail's job, by which `deleteQueuedMail` finds the mail of an account.
 * @param name what distinguishes the mail from others of the account
 */
export const toMailJobKey = (accountId: string, name: string) => `mail:${accountId}:${name}`;

/** Deletes the mail of an account that is not sent yet; what is being sent is not tried again. */
export async function deleteQueuedMail(tx: Database, accountId: string): Promise<void> {
  const { schema } = jobQueue;
  await sql`
    select ${sql.id(schema, 'remove_job')}(key) from ${sql.id(schema, 'jobs')}
    where starts_with(key, ${toMailJobKey(accountId, '')}::text)`.execute(tx);
}

const mailContent = z.object({ subject: z.string(), text: z.string(), code: z.nullable(z.string()) });

/**
 * Creates the mailer for installations without a mail server: mail stays in the database, encrypted, until it expires. The
 * outbox page shows it.
 */
export function createOutboxMailer(secrets: Secrets): Mailer {
  return {
    async enqueue(tx, { accountId, to, subject, text, code, createdAt, expiresAt }, deliver = true) {
      const content = Buffer.from(JSON.stringify({ subject, text, code }));
      const encrypted = secrets.encrypt('mail', to, content);
      await sql`
        insert into outbox_mail (account_id, recipient, encrypted_content, created_at, expires_at)
        select ${accountId}::uuid, ${to}::text, ${encrypted}::bytea, ${createdAt}::timestamptz,
          ${expiresAt}::timestamptz where ${deliver}::boolean`.execute(tx);
    },
  };
}

/** Returns the newest mails first, limited to one address where it is given. Throws where the secret is another one. */
export async function listMail(db: Database, secrets: Secrets, to: string | undefined): Promise<Mail[]> {
  const newest = db
    .selectFrom('outbox_mail')
    .select(['recipient', 'encryptedContent', 'createdAt'])
    .orderBy('id', 'desc')
    .limit(MAX_LISTED_MAILS);
  const filtered = to === undefined ? newest : newest.where('recipient', '=', to.toLowerCase());
  const rows = await filtered.execute();
  return rows.map(({ recipient, encryptedContent, createdAt }) => {
    const plain = secrets.decrypt('mail', recipient, encryptedContent);
    if (!plain) throw new Error('A mail does not decrypt with the identity secret.');
    return { to: recipient, createdAt, ...mailContent.parse(JSON.parse(plain.toString())) };
  });
}
