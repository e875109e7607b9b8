import { type Connection, type Log, openDatabase } from '@escucho/database';
import { CamelCasePlugin, type ColumnType, type Generated, type JSONColumnType, type Kysely } from 'kysely';

type CheckoutStatus = 'started' | 'in_progress' | 'succeeded' | 'failed';
/** The outcome of a card form. */
export type SetupOutcome = 'succeeded' | 'failed';
/** The outcome of a card's charges. */
export type CardOutcome = SetupOutcome | 'authentication_required';

/** The tables, with columns in camel case; the migrations document them. Repositories parse what JSON columns hold. */
export interface Tables {
  subscriber: {
    id: Generated<string>;
    appUserId: string | null;
    email: string | null;
    payers: ColumnType<object, string | undefined, string>;
    clockOffsetSeconds: Generated<number>;
    firstSeenAt: Date;
    deletedAt: Date | null;
  };
  subscription: {
    id: string;
    subscriberId: string;
    state: JSONColumnType<object>;
    version: number;
    dueAt: Date | null;
    lockedUntil: ColumnType<Date | null, undefined, Date | null>;
  };
  subscription_event: {
    id: Generated<number>;
    subscriptionId: string;
    sequence: number;
    kind: string;
    occurredAt: Date;
    data: JSONColumnType<object>;
    recordedAt: Generated<Date>;
  };
  checkout: {
    id: string;
    subscriberId: string;
    terms: JSONColumnType<object>;
    offering: string;
    isSandbox: boolean;
    status: CheckoutStatus;
    errorCode: number | null;
    customer: string;
    setup: string;
    card: string | null;
    createdAt: Date;
    expiresAt: Date;
    orderedAt: Date | null;
    lockedUntil: Date | null;
  };
  webhook_event: {
    id: Generated<number>;
    subscriberId: string;
    event: JSONColumnType<object>;
  };
  notification_email: {
    id: Generated<string>;
    subscriberId: string;
    content: JSONColumnType<object>;
    createdAt: Generated<Date>;
  };
  sandbox_setup: {
    id: string;
    clientSecret: string;
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
export function openBillingDatabase(
  connection: Connection,
  options: { name: string; maxConnections?: number; log?: Log },
): Database {
  return openDatabase<Tables>({ connection, schema: 'billing', ...options }).withPlugin(
    new CamelCasePlugin({ maintainNestedObjectKeys: true }),
  );
}
