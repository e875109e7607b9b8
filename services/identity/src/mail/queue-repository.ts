import { sql } from 'kysely';
import type { Database } from '../database.ts';

/** A mail that waits to be sent. */
export interface QueuedMail {
  id: string;
  recipient: string;
  sealed: Buffer;
  attempts: number;
  expiresAt: Date;
}

/** The queue in the database; every call takes the transaction it is part of. */
export const queueRepository = {
  /** Puts a mail in; one that reaches nobody is the same statement and puts nothing in. */
  async insert(
    tx: Database,
    mail: Omit<QueuedMail, 'attempts'> & { accountId: string; reached: boolean },
    dueAt: Date,
  ): Promise<void> {
    await sql`
      insert into queued_mail (id, account_id, recipient, sealed, due_at, expires_at)
      select ${mail.id}::uuid, ${mail.accountId}::uuid, ${mail.recipient}::text, ${mail.sealed}::bytea,
        ${dueAt}::timestamptz, ${mail.expiresAt}::timestamptz where ${mail.reached}::boolean`.execute(tx);
  },

  /** The next mail that is due, held for this transaction; what another process holds is passed over. */
  takeDue(tx: Database, now: Date): Promise<QueuedMail | undefined> {
    return tx
      .selectFrom('queued_mail')
      .select(['id', 'recipient', 'sealed', 'attempts', 'expires_at as expiresAt'])
      .where('due_at', '<=', now)
      .orderBy('due_at')
      .limit(1)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
  },

  async postpone(tx: Database, id: string, attempts: number, dueAt: Date): Promise<void> {
    await tx.updateTable('queued_mail').set({ attempts, due_at: dueAt }).where('id', '=', id).execute();
  },

  async remove(tx: Database, id: string): Promise<void> {
    await tx.deleteFrom('queued_mail').where('id', '=', id).execute();
  },
};
