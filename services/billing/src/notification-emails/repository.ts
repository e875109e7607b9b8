import { randomUUID } from 'node:crypto';
import { toNewJob } from '@escucho/jobs';
import type { InferResult } from 'kysely';
import type { Database } from '../database.ts';
import { jobQueue, sendNotificationEmail } from '../jobs.ts';
import { toServerTime } from '../subscribers/policy.ts';
import { type NotificationEmail, notificationEmail } from './policy.ts';

/** An unsent e-mail. `to` is null when the subscriber was deleted; `until` is by the server's clock. */
export interface AddressedEmail {
  id: string;
  to: string | null;
  email: NotificationEmail;
  until: Date | null;
  createdAt: Date;
}

const selectEmails = (db: Database) =>
  db
    .selectFrom('notification_email')
    .innerJoin('subscriber', 'subscriber.id', 'notification_email.subscriberId')
    .select([
      'notification_email.id',
      'content',
      'createdAt',
      'email as to',
      'clockOffsetSeconds as clockOffset',
    ]);
type Row = InferResult<ReturnType<typeof selectEmails>>[number];

function toAddressedEmail({ id, to, content, createdAt, clockOffset }: Row): AddressedEmail {
  const email = notificationEmail.parse(content);
  const until = email.until === null ? null : toServerTime({ clockOffset }, new Date(email.until));
  return { id, to, email, until, createdAt };
}

/** The outbox of notification e-mails. */
export const notificationEmailRepository = {
  /** Adds e-mails and enqueues the jobs that send them. */
  async insert(
    tx: Database,
    added: readonly { subscriberId: string; email: NotificationEmail }[],
  ): Promise<void> {
    if (added.length === 0) return;
    const rows = added.map(({ subscriberId, email }) => ({
      id: randomUUID(),
      subscriberId,
      content: JSON.stringify(email),
    }));
    await tx.insertInto('notification_email').values(rows).execute();
    // In one queue, so that a subscriber's e-mails stay in order; 16 queues are enough.
    const jobs = rows.map(({ id, subscriberId }) =>
      toNewJob(sendNotificationEmail, { emailId: id }, { queueName: `emails_${subscriberId[0]}` }),
    );
    await jobQueue.enqueueAll(tx, jobs);
  },

  /** Returns an e-mail after the earlier ones to the same subscriber; none where it was sent. */
  async findUpTo(db: Database, id: string): Promise<AddressedEmail[]> {
    const last = db.selectFrom('notification_email').where('id', '=', id);
    const rows = await selectEmails(db)
      .where('subscriberId', '=', last.select('subscriberId'))
      .where('createdAt', '<=', last.select('createdAt'))
      .orderBy('createdAt')
      .execute();
    return rows.map(toAddressedEmail);
  },

  /** Returns the newest hundred, newest first; those to one address if it is given. */
  async list(db: Database, to: string | undefined): Promise<AddressedEmail[]> {
    const newest = selectEmails(db)
      .where('subscriber.email', 'is not', null)
      .orderBy('notification_email.createdAt', 'desc')
      .limit(100);
    const rows = await (to === undefined ? newest : newest.where('subscriber.email', '=', to)).execute();
    return rows.map(toAddressedEmail);
  },

  async remove(db: Database, id: string): Promise<void> {
    await db.deleteFrom('notification_email').where('id', '=', id).execute();
  },
};
