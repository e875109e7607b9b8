import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Database } from '../database.ts';
import { eventsOf } from '../deliveries/policy.ts';
import { deliveryRepository } from '../deliveries/repository.ts';
import { noticesOf } from '../notices/policy.ts';
import { noticeRepository } from '../notices/repository.ts';
import { shownAt } from '../subscribers/policy.ts';
import { type Fact, fact, type Subscription, subscription } from './facts.ts';
import { dueAt } from './policy.ts';
import { stateOf } from './state.ts';

/** A subscription as stored. */
export interface Stored {
  id: string;
  subscriberId: string;
  version: number;
  state: Subscription;
}

/** A subscription and whose it is. */
export type Which = Pick<Stored, 'id' | 'subscriberId'>;

interface Row {
  id: string;
  subscriber_id: string;
  version: number;
  state: object;
}

const columns = ['id', 'subscriber_id', 'version', 'state'] as const;

const storedOf = (row: Row): Stored => ({
  id: row.id,
  subscriberId: row.subscriber_id,
  version: row.version,
  state: subscription.parse(row.state),
});

const factOf = ({ data }: { data: object }): Fact => fact.parse(data);

const byOurClock = (moment: Date | null, ahead: number): Date | null => moment && shownAt({ ahead }, moment);

/** Subscriptions and their ledger; every call takes the database or the transaction it is part of. */
export const subscriptionRepository = {
  async findOf(db: Database, subscriber: string): Promise<Stored[]> {
    const rows = await db
      .selectFrom('subscription')
      .select(columns)
      .where('subscriber_id', '=', subscriber)
      .execute();
    return rows.map(storedOf);
  },

  async find(db: Database, id: string): Promise<Stored | undefined> {
    const row = await db.selectFrom('subscription').select(columns).where('id', '=', id).executeTakeFirst();
    return row && storedOf(row);
  },

  /** One of them, held for this transaction. */
  async lock(tx: Database, id: string): Promise<Stored | undefined> {
    const row = await tx
      .selectFrom('subscription')
      .select(columns)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    return row && storedOf(row);
  },

  /**
   * Writes facts down and what they come to. In: the subscription as it is, held, or the id of a new one; how far the
   * subscriber's clock is ahead, in seconds. Out: as it is then.
   */
  async append(
    tx: Database,
    before: Stored | { id: string; subscriberId: string },
    facts: readonly Fact[],
    ahead: number,
  ): Promise<Stored> {
    const known = 'state' in before ? before : undefined;
    const version = known?.version ?? 0;
    const state = stateOf(facts, known?.state);
    const after: Stored = {
      id: before.id,
      subscriberId: before.subscriberId,
      version: version + facts.length,
      state,
    };
    const values = {
      state: JSON.stringify(state),
      version: after.version,
      due_at: byOurClock(dueAt(state), ahead),
      // Whoever has begun a charge goes on with it.
      ...(!state.charge && { leased_until: null }),
    };
    if (known) {
      await tx.updateTable('subscription').set(values).where('id', '=', before.id).execute();
    } else {
      await tx
        .insertInto('subscription')
        .values({ id: before.id, subscriber_id: before.subscriberId, ...values })
        .execute();
    }
    const entries = facts.map((each, index) => ({
      subscription_id: before.id,
      number: version + index + 1,
      kind: each.kind,
      happened_at: each.at,
      data: JSON.stringify(each),
    }));
    if (entries.length > 0) await tx.insertInto('ledger').values(entries).execute();
    await deliveryRepository.insert(tx, before.subscriberId, eventsOf(facts, state));
    await noticeRepository.insert(tx, before.subscriberId, noticesOf(known?.state, facts));
    return after;
  },

  /** All that happened to a subscription, in its order. */
  async findFacts(db: Database, id: string): Promise<Fact[]> {
    const rows = await db
      .selectFrom('ledger')
      .select('data')
      .where('subscription_id', '=', id)
      .orderBy('number')
      .execute();
    return rows.map(factOf);
  },

  /** Looks at a subscription again when its subscriber's clock was moved. */
  async reschedule(tx: Database, { id, state }: Stored, ahead: number): Promise<void> {
    await tx
      .updateTable('subscription')
      .set({ due_at: byOurClock(dueAt(state), ahead) })
      .where('id', '=', id)
      .execute();
  },

  /**
   * Takes up to so many subscriptions that are due, each for this process alone until `until`; those that others hold
   * are passed over.
   */
  async lease(db: Database, now: Date, until: Date, limit: number): Promise<Which[]> {
    const due = db
      .selectFrom('subscription')
      .select('id')
      .where('due_at', '<=', now)
      .where((eb) => eb.or([eb('leased_until', 'is', null), eb('leased_until', '<=', now)]))
      .orderBy('due_at')
      .limit(limit)
      .forUpdate()
      .skipLocked();
    return db
      .with('due', () => due)
      .updateTable('subscription')
      .set({ leased_until: until })
      .where('id', 'in', (eb) => eb.selectFrom('due').select('id'))
      .returning(['id', 'subscriber_id as subscriberId'])
      .execute();
  },

  /** The next so many subscriptions after an id, in the ids' order, each with all that happened to it. */
  async findBatch(db: Database, after: string, limit: number) {
    const rows = await db
      .selectFrom('subscription as s')
      .innerJoin('subscriber', 'subscriber.id', 's.subscriber_id')
      .select((eb) => [
        ...([
          's.id',
          's.subscriber_id',
          's.version',
          's.state',
          's.due_at',
          'subscriber.clock_ahead',
        ] as const),
        jsonArrayFrom(
          eb
            .selectFrom('ledger')
            .select('ledger.data')
            .whereRef('ledger.subscription_id', '=', 's.id')
            .orderBy('ledger.number'),
        ).as('entries'),
      ])
      .where('s.id', '>', after)
      .orderBy('s.id')
      .limit(limit)
      .execute();
    return rows.map(({ due_at: dueAt, clock_ahead: ahead, entries, ...row }) => ({
      ...storedOf(row),
      ...{ dueAt, ahead, facts: entries.map(factOf) },
    }));
  },

  /** What a subscriber paid and got back, newest first, at most so many entries. */
  async findPayments(db: Database, subscriber: string, limit: number): Promise<Fact[]> {
    const rows = await db
      .selectFrom('ledger')
      .innerJoin('subscription', 'subscription.id', 'ledger.subscription_id')
      .select('ledger.data')
      .where('subscription.subscriber_id', '=', subscriber)
      .where('ledger.kind', 'in', ['paid', 'refunded'])
      .orderBy('ledger.id', 'desc')
      .limit(limit)
      .execute();
    return rows.map(factOf);
  },

  /** In: the gateway's name for the subscription that it keeps. */
  async findKept(db: Database, gatewaySubscription: string): Promise<Which | undefined> {
    return db
      .selectFrom('subscription')
      .select(['id', 'subscriber_id as subscriberId'])
      .where(sql<string>`state ->> 'gatewaySubscription'`, '=', gatewaySubscription)
      .executeTakeFirst();
  },

  /** The subscription that a charge belongs to, with everything the ledger says of that charge. */
  async findCharge(db: Database, key: string): Promise<(Which & { facts: Fact[] }) | undefined> {
    const rows = await db
      .selectFrom('ledger')
      .innerJoin('subscription', 'subscription.id', 'ledger.subscription_id')
      .select(['subscription_id', 'subscriber_id', 'data'])
      .where(sql<string>`data ->> 'key'`, '=', key)
      .where(sql<boolean>`data ? 'key'`)
      .orderBy('number')
      .execute();
    const [first] = rows;
    return first && { id: first.subscription_id, subscriberId: first.subscriber_id, facts: rows.map(factOf) };
  },

  /** The subscription that a payment was made for. In: the gateway's name for the payment. */
  async findPayment(db: Database, reference: string): Promise<(Which & { key: string }) | undefined> {
    const row = await db
      .selectFrom('ledger')
      .innerJoin('subscription', 'subscription.id', 'ledger.subscription_id')
      .select(['subscription_id', 'subscriber_id', sql<string>`data ->> 'key'`.as('key')])
      .where('kind', '=', sql.lit('paid'))
      .where(sql<string>`data ->> 'reference'`, '=', reference)
      .executeTakeFirst();
    return row && { id: row.subscription_id, subscriberId: row.subscriber_id, key: row.key };
  },
};
