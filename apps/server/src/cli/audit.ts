import { parseArgs } from 'node:util';
import {
  type AuditFilter,
  auditEvents,
  findAuditEvents,
  isAuditEventType,
  type StoredAuditEvent,
  schema,
  shortenNetwork,
} from '@escucho/audit';
import { openDatabase } from '@escucho/database';
import * as z from 'zod/mini';
import { migrateAll } from '../storage.ts';
import { type CommandLine, isEntryPoint, runCommand, toPrintable } from './command.ts';

const text = { type: 'string' } as const;
const options = {
  type: { type: 'string', multiple: true },
  user: text,
  network: text,
  request: text,
  since: text,
  until: text,
  limit: text,
  json: { type: 'boolean' },
} as const;

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 100_000;

const help = `npm run audit -- list [OPTION…]

Lists the audit log, newest first, for all users and services.

  --type TYPE        only events of this type; may be repeated
  --user ID          only events about this user: the id in the portal, or the id at the identity provider
  --network NETWORK  only events from this network, or that of an address: 203.0.113.0/24, or 203.0.113.7
  --request ID       only events of this request
  --since TIME       only events at or after this time: 2026-01-31, or 2026-01-31T08:00Z
  --until TIME       only events before this time
  --limit NUMBER     as many events; ${DEFAULT_LIMIT} unless given
  --json             one JSON object a line

The types: ${Object.keys(auditEvents).join(', ')}.`;

function parseTime(name: string, value: string | undefined): Date | undefined {
  if (value === undefined) return undefined;
  const time = new Date(value);
  // Date parses many more texts: 05/11/2026 as a day in May, and 2026-02-30 as one in March.
  const isKnownForm = z.iso.date().safeParse(value.replace(/[T ].*/s, '')).success;
  if (!isKnownForm || Number.isNaN(time.getTime())) throw new Error(`--${name}: not a time: ${value}`);
  return time;
}

/** Parses a network as events have it, or an address in it. */
function parseNetwork(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const network = shortenNetwork(value.replace(/\/.*/s, ''));
  if (network === null || (value.includes('/') && value !== network))
    throw new Error(`--network: neither an address nor a /24 (IPv4) or /48 (IPv6) network: ${value}`);
  return network;
}

function parseLimit(value: string | undefined): number {
  const limit = Number(value ?? DEFAULT_LIMIT);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT)
    throw new Error(`--limit: must be a number from 1 to ${MAX_LIMIT}`);
  return limit;
}

function parseFilter(args: string[]): { filter: AuditFilter; limit: number; isJson: boolean } {
  const { type, user: userId, network, request: requestId, ...values } = parseArgs({ args, options }).values;
  const unknown = type?.find((name) => !isAuditEventType(name));
  if (unknown !== undefined) throw new Error(`There is no type ${unknown}; npm run audit lists them.`);
  const filter = {
    types: type?.filter(isAuditEventType),
    userId,
    network: parseNetwork(network),
    requestId,
    since: parseTime('since', values.since),
    until: parseTime('until', values.until),
  };
  return { filter, limit: parseLimit(values.limit), isJson: values.json === true };
}

function formatEvent(event: StoredAuditEvent): string {
  const { occurredAt, type, actor, actorName, userId, network, browser, system, requestId, details } = event;
  const device = browser === null ? '-' : `${browser} on ${system}`;
  const named = Object.entries(details).map(([name, value]) => `${name}=${value}`);
  const who = actorName === null ? actor : `${actor} ${actorName}`;
  const columns = [
    occurredAt.toISOString(),
    type,
    who,
    userId ?? '-',
    network ?? '-',
    device,
    requestId ?? '-',
  ];
  return toPrintable([...columns, ...named].join('  '));
}

/** Formats an event as one line of JSON. `JSON.stringify` leaves the control characters from U+007F to U+009F. */
const formatJson = (event: StoredAuditEvent): string =>
  JSON.stringify(event).replace(
    /\p{Cc}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** `npm run audit`. */
export const auditCommandLine: CommandLine = {
  name: 'audit',
  help,
  commands: {
    async list({ args, storage: { connection } }) {
      const { filter, limit, isJson } = parseFilter(args);
      await migrateAll(connection);
      await using db = openDatabase<object>({ connection, schema, maxConnections: 1, name: 'audit list' });
      const events = await findAuditEvents(db, filter, limit);
      const lines = events.map((event) => (isJson ? formatJson(event) : formatEvent(event)));
      return lines.join('\n') || 'No events.';
    },
  },
};

if (isEntryPoint(import.meta.filename)) await runCommand(auditCommandLine);
