import { sql } from 'kysely';
import type { Database } from '../database.ts';
import type { Mail, Mailer } from './mailer.ts';

const longestList = 100;

/** The mailer of the embedded default: mail stays in the database, where the outbox page shows it. */
export const outboxMailer: Mailer = {
  async post(tx, { accountId, to, subject, text, code, createdAt }, reached = true) {
    await sql`
      insert into mail (account_id, recipient, subject, body, code, created_at)
      select ${accountId}::uuid, ${to}::text, ${subject}::text, ${text}::text, ${code}::text,
        ${createdAt}::timestamptz where ${reached}::boolean`.execute(tx);
  },
};

/** The newest hundred mails, newest first; for one address where it is given. */
export function listMail(db: Database, to: string | undefined): Promise<Mail[]> {
  const newest = db
    .selectFrom('mail')
    .select(['recipient as to', 'subject', 'body as text', 'code', 'created_at as createdAt'])
    .orderBy('id', 'desc')
    .limit(longestList);
  return (to === undefined ? newest : newest.where('recipient', '=', to.toLowerCase())).execute();
}
