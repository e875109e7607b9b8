import { createJobQueue } from '@escucho/jobs';
import { sql } from 'kysely';
import type { Database } from '../database.ts';

/** A mail as the outbox shows it. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** The verification code in the text, if any. */
  code: string | null;
  createdAt: Date;
}

export interface OutgoingMail extends Mail {
  /** The account the mail is about; deleting it deletes the mail. */
  accountId: string;
  html: string;
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

/** Returns the key of a mail's job, by which `deleteQueuedMail` finds the mail of an account. */
export const toMailJobKey = (accountId: string, mailId: string) => `mail:${accountId}:${mailId}`;

/** Deletes the mail of an account that is not sent yet. */
export async function deleteQueuedMail(tx: Database, accountId: string): Promise<void> {
  const { schema } = jobQueue;
  await sql`
    select from ${sql.id(schema, 'complete_jobs')}(
      array(select id from ${sql.id(schema, 'jobs')} where starts_with(key, ${toMailJobKey(accountId, '')}::text))
    )`.execute(tx);
}

/** The mailer for installations without a mail server: mail stays in the database, where the outbox page shows it. */
export const outboxMailer: Mailer = {
  async enqueue(tx, { accountId, to, subject, text, code, createdAt }, deliver = true) {
    await sql`
      insert into outbox_mail (account_id, recipient, subject, body, code, created_at)
      select ${accountId}::uuid, ${to}::text, ${subject}::text, ${text}::text, ${code}::text,
        ${createdAt}::timestamptz where ${deliver}::boolean`.execute(tx);
  },
};

/** Returns the newest mails first, limited to one address where it is given. */
export function listMail(db: Database, to: string | undefined): Promise<Mail[]> {
  const newest = db
    .selectFrom('outbox_mail')
    .select(['recipient as to', 'subject', 'body as text', 'code', 'createdAt'])
    .orderBy('id', 'desc')
    .limit(MAX_LISTED_MAILS);
  return (to === undefined ? newest : newest.where('recipient', '=', to.toLowerCase())).execute();
}
