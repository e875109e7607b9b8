import { type Connection, openDatabase } from '@escucho/database';
import { sql } from 'kysely';
import type { DeviceReport } from './load-process.ts';
import type { Sample } from './processes.ts';
import type { LoadReport } from './recorder.ts';

/** What listeners notice of a fault, in milliseconds. */
export interface Outage {
  /** The longest time in which no position of any listener was acknowledged. */
  gapMs: number;
  /** The longest wait of a listener for the acknowledgement of a position. */
  longestWaitMs: number;
}

/** What the database has of the positions that were acknowledged. */
interface Verification {
  acknowledged: number;
  /** Acknowledged, but missing or different in the database. */
  lost: string[];
  /** Stored, although the response did not arrive. */
  unacknowledged: number;
}

/** What the test `listeners` measures; `npm run bench -- cluster` makes a table of it. */
export interface ListenersReport {
  listeners: number;
  seconds: number;
  report: LoadReport;
  positions: Omit<Verification, 'lost'> & { lost: number };
  purchases: number;
  /** What the database wrote to its log of changes, which goes to the standbys and the archive. */
  walBytes: number;
  /** Of the table of positions, with its indexes. */
  bytesPerPosition: number;
  processKills: (Outage & { awayMs: number })[];
  primaryKills: Outage[];
  /** Of process A, which is never killed. */
  samples: Sample[];
  cpuMs: Record<string, number>;
  /** Delay of the event loop of the users' process. */
  eventLoopP99Ms: number;
}

/** Returns what listeners noticed in the time after a fault. */
export function findOutage(
  { startedAt, bucketMs, ...report }: LoadReport,
  at: number,
  withinMs: number,
): Outage {
  const [from, to] = [at, at + withinMs].map((time) => Math.floor((time - startedAt) / bucketMs));
  const gaps = report.acknowledged
    .slice(from, to)
    .map((count) => (count === 0 ? '0' : '1'))
    .join('')
    .split('1');
  return {
    gapMs: Math.max(...gaps.map(({ length }) => length)) * bucketMs,
    longestWaitMs: Math.max(0, ...report.longestWaits.slice(from, to)),
  };
}

/** Compares every acknowledged position with the database. */
export async function verifyPositions(
  connection: Connection,
  devices: readonly DeviceReport[],
): Promise<Verification> {
  await using db = openDatabase<object>({
    connection,
    schema: 'portal',
    name: 'verification',
    maxConnections: 1,
  });
  const result: Verification = { acknowledged: 0, lost: [], unacknowledged: 0 };
  for (const { email, device, acknowledged } of devices) {
    const { rows } = await sql<{ sequence: string; track: string; position: number }>`
      select e.sequence, e.article_id as track, e.position
      from listening_event e join users u on u.id = e.user_id
      where u.email = ${email} and e.device_id = ${device}`.execute(db);
    const stored = new Set(rows.map(({ sequence, track, position }) => `${sequence} ${track} ${position}`));
    const expected = acknowledged.map((entry) => entry.join(' '));
    const lost = expected.filter((entry) => !stored.has(entry));
    result.acknowledged += expected.length;
    result.lost.push(...lost.map((entry) => `${email} ${entry}`));
    result.unacknowledged += stored.size - (expected.length - lost.length);
  }
  return result;
}
