import { Client } from 'pg';
import { type Connection, clientConfig, getDirectConnection } from './connection.ts';

interface ClientOptions {
  readonly connection: Connection;
  /** The name by which `pg_stat_activity` lists the session. */
  readonly name: string;
  /** Settings of the session, as options of the command line. */
  readonly options?: string;
}

/**
 * Runs `work` on a connection of its own, past a connection pooler. The session ends with it, and so do its locks and its
 * transaction.
 */
export async function withClient<Result>(
  { connection, name, options }: ClientOptions,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const config = clientConfig(getDirectConnection(connection), name);
  const client = new Client({ ...config, ...(options !== undefined && { options }) });
  // The statement that fails rejects.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
