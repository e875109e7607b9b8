import { type Connection, type Log, openDatabase } from '@escucho/database';
import type { ColumnType, Generated, JSONColumnType, Kysely } from 'kysely';

const SCHEMA = 'billing';

export type CheckoutStatus = 'started' | 'in_progress' | 'succeeded' | 'failed';
/** The outcome of a card form. */
export type SetupOutcome = 'succeeded' | 'failed';
/** The outcome of a card's charges. */
export type CardOutcome = SetupOutcome | 'authentication_required';

/** The tables as the migration creates and documents them. Repositories parse what JSON columns hold. */
export interface Tables {
  subscriber: {
    id: Generated<string>;
    app_user_id: string | null;
    email: string | null;
    payers: ColumnType<object, string | undefined, string>;
    clock_offset_seconds: Generated<number>;
    first_seen_at: Date;
    deleted_at: Date | null;
  };
  subscription: {
    id: string;
    subscriber_id: string;
    state: JSONColumnType<object>;
    version: number;
    due_at: Date | null;
    locked_until: ColumnType<Date | null, undefined, Date | null>;
  };
  subscription_event: {
    id: Generated<number>;
    subscription_id: string;
    sequence: number;
    kind: string;
    occurred_at: Date;
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
    locked_until: Date | null;
  };
  webhook_event: {
    id: Generated<number>;
    subscriber_id: string;
    event: JSONColumnType<object>;
  };
  notification_email: {
    id: Generated<string>;
    subscriber_id: string;
    content: JSONColumnType<object>;
    created_at: Generated<Date>;
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

/** Opens the service's schema. `name` identifies the connections in `pg_stat_activity`. */
export function open(
  connection: Connection,
  options: { name: string; maxConnections?: number; log?: Log },
): Database {
  return openDatabase<Tables>({ connection, schema: SCHEMA, ...options });
}
