import type { Database } from '../database.ts';
import { toServerTime } from '../subscribers/policy.ts';
import { type NotificationEmail, notice } from './policy.ts';

/** A notice with where it goes; nowhere where its subscriber was forgotten. `until`: by everybody's clock. */
export interface AddressedEmail {
  id: string;
  to: string | null;
  notice: NotificationEmail;
  until: Date | null;
  attempts: number;
  createdAt: Date;
}

interface Row {
  id: string;
  content: object;
  attempts: number;
  created_at: Date;
  email: string | null;
  clock_ahead: number;
}

const columns = [
  'notice.id',
  'notice.content',
  'notice.attempts',
  'notice.created_at',
  'subscriber.email',
  'subscriber.clock_ahead',
] as const;

function addressed(row: Row): AddressedEmail {
  const { id, attempts, email: to, created_at: createdAt, clock_ahead: clockOffset } = row;
  const content = notice.parse(row.content);
  const until = content.until === null ? null : toServerTime({ clockOffset }, new Date(content.until));
  return { id, to, notice: content, until, attempts, createdAt };
}

/** What subscribers are to be told by mail; every call takes the database or the transaction it is part of. */
export const notificationEmailRepository = {
  async insert(tx: Database, subscriber: string, notices: readonly NotificationEmail[]): Promise<void> {
    if (notices.length === 0) return;
    // At once.
    const due_at = new Date(0);
    const values = notices.map((each) => ({
      subscriber_id: subscriber,
      content: JSON.stringify(each),
      due_at,
    }));
    await tx.insertInto('notice').values(values).execute();
  },

  /** Takes the next so many that are due until `until`; what others hold is passed over. */
  async lease(db: Database, now: Date, until: Date, limit: number): Promise<AddressedEmail[]> {
    const due = db
      .selectFrom('notice')
      .select('id')
      .where('due_at', '<=', now)
      .orderBy('due_at')
      .limit(limit)
      .forUpdate()
      .skipLocked();
    const rows = await db
      .with('due', () => due)
      .updateTable('notice')
      .from(['due', 'subscriber'])
      .set({ due_at: until })
      .whereRef('subscriber.id', '=', 'notice.subscriber_id')
      .whereRef('due.id', '=', 'notice.id')
      .returning(columns)
      .execute();
    return rows.map(addressed);
  },

  /** The newest hundred, newest first; for one address where it is given. */
  async list(db: Database, to: string | undefined): Promise<AddressedEmail[]> {
    const newest = db
      .selectFrom('notice')
      .innerJoin('subscriber', 'subscriber.id', 'notice.subscriber_id')
      .select(columns)
      .where('subscriber.email', 'is not', null)
      .orderBy('notice.created_at', 'desc')
      .limit(100);
    const rows = await (to === undefined ? newest : newest.where('subscriber.email', '=', to)).execute();
    return rows.map(addressed);
  },

  async postpone(db: Database, id: string, attempts: number, dueAt: Date): Promise<void> {
    await db.updateTable('notice').set({ attempts, due_at: dueAt }).where('id', '=', id).execute();
  },

  async remove(db: Database, id: string): Promise<void> {
    await db.deleteFrom('notice').where('id', '=', id).execute();
  },
};
