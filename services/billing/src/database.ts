import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Connection, type Log, openDatabase } from '@escucho/database';
import type { ColumnType, Generated, JSONColumnType, Kysely } from 'kysely';

/** The service's PostgreSQL schema. */
export const schema = 'billing';

/** The directory of this service's migrations. */
export const migrationsDirectory = join(
  dirname(createRequire(import.meta.url).resolve('@escucho/billing/package.json')),
  'migrations',
);

export type CheckoutStatus = 'started' | 'in_progress' | 'succeeded' | 'failed';
/** What a card form came to. */
export type SetupOutcome = 'succeeded' | 'failed';
/** What charges of a card come to. */
export type CardOutcome = SetupOutcome | 'authentication_required';

/** The tables as the migrations make them; what JSON they hold is checked where it is read. */
export interface Tables {
  subscriber: {
    id: Generated<string>;
    app_user_id: string | null;
    email: string | null;
    payers: ColumnType<object, string | undefined, string>;
    clock_ahead: Generated<number>;
    first_seen_at: Date;
    deleted_at: Date | null;
  };
  subscription: {
    id: string;
    subscriber_id: string;
    state: JSONColumnType<object>;
    version: number;
    due_at: Date | null;
    leased_until: Date | null;
  };
  ledger: {
    id: Generated<number>;
    subscription_id: string;
    number: number;
    kind: string;
    happened_at: Date;
    data: JSONColumnType<object>;
    recorded_at: Generated<Date>;
  };
  checkout: {
    id: string;
    subscriber_id: string;
    terms: JSONColumnType<object>;
    offering: string;
    is_sandbox: boolean;
    status: CheckoutStatus;
    error_code: number | null;
    customer: string;
    setup: string;
    card: string | null;
    created_at: Date;
    expires_at: Date;
    ordered_at: Date | null;
    leased_until: Date | null;
  };
  delivery: {
    id: Generated<number>;
    subscriber_id: string;
    event: JSONColumnType<object>;
    attempts: Generated<number>;
    due_at: Date;
  };
  notice: {
    id: Generated<string>;
    subscriber_id: string;
    content: JSONColumnType<object>;
    created_at: Generated<Date>;
    attempts: Generated<number>;
    due_at: Date;
  };
  sandbox_setup: {
    id: string;
    client_secret: string;
    outcome: SetupOutcome | null;
    card: string | null;
    customer: string | null;
  };
  sandbox_card: { id: string; outcome: CardOutcome };
  sandbox_charge: {
    key: string;
    card: string;
    amount: number;
    currency: string;
    outcome: CardOutcome;
    refunded: Generated<number>;
  };
}

/** The database, or a transaction on it. */
export type Database = Kysely<Tables>;

/** Opens this service's schema; `name` is how the database server lists the connections. */
export function open(
  connection: Connection,
  options: { name: string; maxConnections?: number; log?: Log },
): Database {
  return openDatabase<Tables>({ connection, schema, ...options });
}
