import { securityEventTypes } from '@escucho/contracts';
import { type QueryExecutorProvider, sql } from 'kysely';
import { type AuditContext, getAuditContext } from './context.ts';
import { type AuditEvent, type AuditEventType, isFailure } from './events.ts';
import { maskEmail } from './personal-data.ts';

/** The schema of the audit log in the database that all services share. */
export const schema = 'audit';

/** Who caused an event; `anonymous` did not sign in. */
type Actor = 'user' | 'anonymous' | 'admin' | 'system';

/** An event as it is stored. */
export interface StoredAuditEvent {
  readonly id: string;
  readonly occurredAt: Date;
  readonly type: AuditEventType;
  readonly actor: Actor;
  readonly actorName: string | null;
  readonly userId: string | null;
  readonly network: string | null;
  readonly browser: string | null;
  readonly system: string | null;
  readonly requestId: string | null;
  readonly details: Readonly<Record<string, string>>;
}

const table = sql.table(`${schema}.event`);
const columns = sql`id, occurred_at as "occurredAt", type, actor, actor_name as "actorName", user_id as "userId",
  network, browser, system, request_id as "requestId", details`;

function getActor({ source }: AuditContext, { type, userId }: AuditEvent): Actor {
  if (source !== 'request') return source;
  return userId === undefined || isFailure(type) ? 'anonymous' : 'user';
}

function toDetails(details: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(details)) {
    if (value === undefined) continue;
    // A text that was cut may end with half of a character, which PostgreSQL refuses in JSON.
    const text = value.replace(/\p{Cs}/gu, '');
    texts[name] = name === 'email' ? maskEmail(text) : text;
  }
  return texts;
}

/**
 * Records an event in the audit log and writes it to the log of the request, job or command. In a transaction, the row
 * exists if and only if the transaction commits; the line in the log stays.
 *
 * @param db - the database or, where the event is a change, the transaction that makes it
 */
export const recordAuditEvent = (db: QueryExecutorProvider, event: AuditEvent): Promise<void> =>
  recordAuditEvents(db, [event]);

/** Records several events with one statement. */
export async function recordAuditEvents(
  db: QueryExecutorProvider,
  events: readonly AuditEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const context = getAuditContext();
  const { actorName, network, device, requestId, log } = context;
  const recorded = events.map((event) => ({
    type: event.type,
    actor: getActor(context, event),
    userId: event.userId ?? null,
    details: toDetails(event.details ?? {}),
  }));
  await sql`
    insert into ${table} (type, actor, actor_name, user_id, network, browser, system, request_id, details)
    select type, actor, ${actorName}::text, "userId", ${network}::text, ${device?.browser ?? null}::text,
      ${device?.system ?? null}::text, ${requestId}::text, details
    from json_to_recordset(${JSON.stringify(recorded)}::json)
      as event (type text, actor text, "userId" text, details jsonb)`.execute(db);
  for (const event of recorded)
    log?.info({ audit: { ...event, actorName, network, device, requestId } }, 'audit event');
}

/** The page of a list: events older than `after`, at most `limit`. */
interface Page {
  readonly after?: string | undefined;
  readonly limit: number;
}

const isOlder = (after: string | undefined) =>
  after === undefined
    ? sql`true`
    : sql`(occurred_at, id) < (select occurred_at, id from ${table} where id = ${after}::uuid)`;

/**
 * Returns a page of the events that a user may see, newest first, and the number of all of them.
 *
 * @param userIds - the ids of one user: in the portal, and at the identity provider
 */
export async function findUserEvents(
  db: QueryExecutorProvider,
  userIds: readonly string[],
  { after, limit }: Page,
): Promise<{ events: StoredAuditEvent[]; total: number }> {
  const isVisible = sql`user_id = any(${userIds}) and type = any(${securityEventTypes})`;
  const { rows: events } = await sql<StoredAuditEvent>`
    select ${columns} from ${table} where ${isVisible} and ${isOlder(after)}
    order by occurred_at desc, id desc limit ${limit}`.execute(db);
  const { rows: counts } = await sql<{ total: number }>`
    select count(*)::integer as total from ${table} where ${isVisible}`.execute(db);
  return { events, total: counts[0]?.total ?? 0 };
}

/** Which events an administrator lists. */
export interface AuditFilter {
  readonly types?: readonly AuditEventType[] | undefined;
  readonly userId?: string | undefined;
  readonly network?: string | undefined;
  readonly requestId?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

/** Returns the events that match every condition of a filter, newest first. */
export async function findAuditEvents(
  db: QueryExecutorProvider,
  { types, userId, network, requestId, since, until }: AuditFilter,
  limit: number,
): Promise<StoredAuditEvent[]> {
  const conditions = [
    types && sql`type = any(${types})`,
    userId !== undefined && sql`user_id = ${userId}`,
    network !== undefined && sql`network = ${network}`,
    requestId !== undefined && sql`request_id = ${requestId}`,
    since && sql`occurred_at >= ${since}`,
    until && sql`occurred_at < ${until}`,
  ].filter((condition) => typeof condition === 'object');
  const { rows } = await sql<StoredAuditEvent>`
    select ${columns} from ${table} where ${sql.join([sql`true`, ...conditions], sql` and `)}
    order by occurred_at desc, id desc limit ${limit}`.execute(db);
  return rows;
}

/**
 * Removes everything that refers to a person from the events of a deleted user. What remains shows that something happened
 * and when: it counts attacks, but concerns nobody.
 */
export async function anonymizeAuditEvents(
  db: QueryExecutorProvider,
  userIds: readonly string[],
): Promise<void> {
  await sql`
    update ${table} set user_id = null, network = null, browser = null, system = null, request_id = null, details = '{}'
    where user_id = any(${userIds})`.execute(db);
}

/** Few enough for the timeout of statements. */
const EVENTS_PER_DELETION = 10_000;

/** Deletes the events older than so many days, by the clock of the database, which also dates them. */
export async function deleteAuditEvents(db: QueryExecutorProvider, days: number): Promise<void> {
  let deleted: bigint | undefined;
  do {
    const result = await sql`
      delete from ${table} where id in (
        select id from ${table} where occurred_at < now() - make_interval(days => ${days})
        order by occurred_at limit ${EVENTS_PER_DELETION}
      )`.execute(db);
    deleted = result.numAffectedRows;
  } while (deleted === BigInt(EVENTS_PER_DELETION));
}
