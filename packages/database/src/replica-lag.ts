import { type Kysely, sql } from 'kysely';

/** Returns how many bytes of the primary's write-ahead log a standby has not replayed. */
export async function measureReplicaLag<Tables>(
  primary: Kysely<Tables>,
  replica: Kysely<Tables>,
): Promise<number> {
  const { rows: written } = await sql<{ lsn: string }>`select pg_current_wal_lsn() as lsn`.execute(primary);
  const { rows: replayed } = await sql<{ lag: number }>`
    select pg_wal_lsn_diff(${written[0]?.lsn}, pg_last_wal_replay_lsn())::float8 as lag`.execute(replica);
  return Math.max(0, replayed[0]?.lag ?? 0);
}
