import { type Connection, openDatabase } from '@escucho/database';
import { sql } from 'kysely';
import type { DeviceReport } from './load-process.ts';

/** What the database has of the positions that were acknowledged. */
export interface Verification {
  acknowledged: number;
  /** Acknowledged, but missing or different in the database. */
  lost: string[];
  /** Stored, although the response did not arrive. */
  unacknowledged: number;
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
