import { withClient } from './client.ts';
import type { Connection } from './connection.ts';
import { DatabaseError } from './database-error.ts';

/** Returns the name of a database, and the identifier of its server or cluster if the role may read it. */
const identifyDatabase = (connection: Connection) =>
  withClient({ connection, name: 'direct address' }, async (client) => {
    const { rows } = await client.query<{ name: string }>('select current_database() as name');
    // Managed databases may refuse this.
    const cluster = await client
      .query<{ id: string }>('select system_identifier::text as id from pg_control_system()')
      .catch(() => undefined);
    return { name: rows[0]?.name, cluster: cluster?.rows[0]?.id };
  });

/**
 * Checks that the address past a connection pooler leads to the same database. Otherwise migrations and background jobs would
 * use another one than requests.
 *
 * @throws DatabaseError `direct-differs`
 */
export async function assertSameDirectDatabase({ direct, ...pooled }: Connection): Promise<void> {
  if (!direct) return;
  const [expected, found] = await Promise.all([identifyDatabase(pooled), identifyDatabase(direct)]);
  const isKnown = expected.cluster !== undefined && found.cluster !== undefined;
  if (expected.name === found.name && (!isKnown || expected.cluster === found.cluster)) return;
  throw new DatabaseError(
    'direct-differs',
    'DATABASE_DIRECT_URL leads to another database than DATABASE_URL. Set it to the address of the same one past its pooler, or remove it.',
  );
}
