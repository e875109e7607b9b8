import { sql } from 'kysely';
import type { CardOutcome, Database, SetupOutcome } from '../../database.ts';
import type { Money } from '../../subscriptions/events.ts';

/** Creates the repository of the sandbox's cards and charges. */
export function createSandboxRepository(db: Database) {
  return {
    async createSetup(id: string, clientSecret: string, customer: string): Promise<void> {
      await db.insertInto('sandbox_setup').values({ id, clientSecret, customer }).execute();
    },

    findSetup: (id: string) =>
      db
        .selectFrom('sandbox_setup')
        .select(['outcome', 'card', 'customer'])
        .where('id', '=', id)
        .executeTakeFirst(),

    /** Completes a card form; the first outcome stays. Returns its set-up, or undefined for an unknown secret. */
    async confirm(clientSecret: string, outcome: SetupOutcome, card: string): Promise<string | undefined> {
      await db
        .updateTable('sandbox_setup')
        .set({ outcome, card: outcome === 'succeeded' ? card : null })
        .where('clientSecret', '=', clientSecret)
        .where('outcome', 'is', null)
        .execute();
      const row = await db
        .selectFrom('sandbox_setup')
        .select('id')
        .where('clientSecret', '=', clientSecret)
        .executeTakeFirst();
      return row?.id;
    },

    /** Sets the outcome of a card's charges from now on. */
    async setCard(id: string, outcome: CardOutcome): Promise<void> {
      await db
        .insertInto('sandbox_card')
        .values({ id, outcome })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ outcome }))
        .execute();
    },

    /** Charges a card, once for a key. Returns the outcome of the first call. */
    async charge(key: string, card: string, { amount, currency }: Money): Promise<CardOutcome | undefined> {
      const { rows } = await sql<{ outcome: CardOutcome }>`
        insert into sandbox_charge (key, card, amount, currency, outcome)
        select ${key}, id, ${amount}, ${currency}, outcome from sandbox_card where id = ${card}
        on conflict (key) do nothing returning outcome`.execute(db);
      return rows[0]?.outcome ?? this.findCharge(key);
    },

    async findCharge(key: string): Promise<CardOutcome | undefined> {
      const row = await db
        .selectFrom('sandbox_charge')
        .select('outcome')
        .where('key', '=', key)
        .executeTakeFirst();
      return row?.outcome;
    },

    /** Settles a charge that waits for its confirmation; others stay as they are. */
    async settle(key: string, outcome: SetupOutcome): Promise<void> {
      await db
        .updateTable('sandbox_charge')
        .set({ outcome })
        .where('key', '=', key)
        .where('outcome', '=', 'authentication_required')
        .execute();
    },

    async refund(key: string, { amount }: Money): Promise<void> {
      await db
        .updateTable('sandbox_charge')
        .set((eb) => ({ refunded: eb.fn('least', ['amount', eb('refunded', '+', amount)]) }))
        .where('key', '=', key)
        .execute();
    },
  };
}

export type SandboxRepository = ReturnType<typeof createSandboxRepository>;
