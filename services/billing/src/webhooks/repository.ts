import type { Database } from '../database.ts';
import { type WebhookEvent, webhookEvent } from './policy.ts';

/** Something that is to be told of a subscriber, who may have been forgotten by now. */
export interface QueuedEvent {
  id: number;
  appUserId: string | null;
  webhookEvent: WebhookEvent;
  attempts: number;
}

/** What waits to be told; every call takes the database or the transaction it is part of. */
export const webhookRepository = {
  async insert(tx: Database, subscriber: string, webhookEvents: readonly WebhookEvent[]): Promise<void> {
    if (webhookEvents.length === 0) return;
    // At once.
    const due_at = new Date(0);
    const values = webhookEvents.map((each) => ({
      subscriber_id: subscriber,
      event: JSON.stringify(each),
      due_at,
    }));
    await tx.insertInto('delivery').values(values).execute();
  },

  /**
   * Takes the next of up to so many subscribers that is due, each held until `until`; what others hold is passed over.
   * Nothing is taken of a subscriber while something older waits.
   */
  async lease(db: Database, now: Date, until: Date, limit: number): Promise<QueuedEvent[]> {
    const due = db
      .selectFrom('delivery as d')
      .select('d.id')
      .where('d.due_at', '<=', now)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('delivery as older')
              .select('older.id')
              .whereRef('older.subscriber_id', '=', 'd.subscriber_id')
              .whereRef('older.id', '<', 'd.id'),
          ),
        ),
      )
      .orderBy('d.due_at')
      .limit(limit)
      .forUpdate()
      .skipLocked();
    const rows = await db
      .with('due', () => due)
      .updateTable('delivery')
      .from(['due', 'subscriber'])
      .set({ due_at: until })
      .whereRef('subscriber.id', '=', 'delivery.subscriber_id')
      .whereRef('due.id', '=', 'delivery.id')
      .returning(['delivery.id', 'delivery.event', 'delivery.attempts', 'subscriber.app_user_id'])
      .execute();
    return rows.map((row) => ({
      id: row.id,
      appUserId: row.app_user_id,
      webhookEvent: webhookEvent.parse(row.event),
      attempts: row.attempts,
    }));
  },

  async postpone(db: Database, id: number, attempts: number, dueAt: Date): Promise<void> {
    await db.updateTable('delivery').set({ attempts, due_at: dueAt }).where('id', '=', id).execute();
  },

  async remove(db: Database, id: number): Promise<void> {
    await db.deleteFrom('delivery').where('id', '=', id).execute();
  },
};
