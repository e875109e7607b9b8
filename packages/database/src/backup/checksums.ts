import { withClient } from '../client.ts';
import type { Connection } from '../connection.ts';
import { quoteName, readInventory } from './tables.ts';

/** The number of rows of a table and a checksum of them that does not depend on their order; both as decimal text. */
interface TableChecksum {
  readonly rows: string;
  readonly checksum: string;
}

/** How values are written as text, which the checksums are made of. */
const TEXT_SETTINGS = '-c timezone=UTC -c datestyle=ISO -c intervalstyle=postgres -c bytea_output=hex';

/** Returns the checksums of all tables of the services, by their quoted names, in one snapshot. */
export const readChecksums = (connection: Connection): Promise<Record<string, TableChecksum>> =>
  withClient({ connection, name: 'checksums', options: TEXT_SETTINGS }, async (client) => {
    await client.query('begin isolation level repeatable read, read only');
    const checksums: Record<string, TableChecksum> = {};
    for (const table of (await readInventory(client)).tables) {
      const name = quoteName(table);
      const { rows } = await client.query<TableChecksum>(
        `select count(*)::text as rows, coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)::text as checksum
         from only ${name} t`,
      );
      if (rows[0]) checksums[name] = rows[0];
    }
    return checksums;
  });
