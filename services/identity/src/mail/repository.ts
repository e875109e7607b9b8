import type { Database } from '../database.ts';
import type { Mail, Mailer } from './mailer.ts';

const longestList = 100;

/** The mailer of the embedded default: mail stays in the database, where the outbox page shows it. */
export const outboxMailer: Mailer = {
  async post(tx, { accountId, to, subject, text, code, createdAt }) {
    await tx
      .insertInto('mail')
      .values({ account_id: accountId, recipient: to, subject, body: text, code, created_at: createdAt })
      .execute();
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
