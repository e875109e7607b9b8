import { Client } from 'pg';
import { type Connection, clientConfig, getDirectConnection } from './connection.ts';
import { getErrorMessage } from './database-error.ts';
import { type Log, stderrLog } from './open-database.ts';

const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 15_000;
const PROBE_MS = 10_000;

interface ListenOptions {
  readonly connection: Connection;
  /** The channel that `pg_notify` names. */
  readonly channel: string;
  /** The application name that PostgreSQL shows for the connection. */
  readonly name: string;
  onMessage(payload: string): void;
  /** Called once it listens, at first and after each reconnection: earlier notifications were missed. */
  onReady(): void;
  readonly log?: Log;
}

/**
 * Listens to a channel of the database on its own connection until it is closed. Reconnects with backoff, from 250 ms
 * to 15 s.
 */
export function listen(options: ListenOptions) {
  const { connection, channel, name, onMessage, onReady, log = stderrLog } = options;
  let closed = false;
  let retryMs = FIRST_RETRY_MS;
  let client: Client | undefined;
  let timer: NodeJS.Timeout | undefined;

  function lost(former: Client, error?: Error): void {
    if (client !== former || closed) return;
    client = undefined;
    if (error)
      log.warn({ database: name, reason: getErrorMessage(error) }, 'database listener lost its connection');
    former.end().catch(() => {});
    timer = setTimeout(start, retryMs);
    retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
  }

  function start(): void {
    const created = new Client({
      ...clientConfig(getDirectConnection(connection), name),
      keepAliveInitialDelayMillis: PROBE_MS,
      connectionTimeoutMillis: PROBE_MS,
    });
    client = created;
    created.on('notification', ({ payload = '' }) => {
      if (!closed) onMessage(payload);
    });
    created.on('error', (error) => lost(created, error));
    created.on('end', () => lost(created));
    created
      .connect()
      .then(() => created.query(`listen ${created.escapeIdentifier(channel)}`))
      .then(() => {
        retryMs = FIRST_RETRY_MS;
        if (!closed) onReady();
      })
      .catch((error: Error) => lost(created, error));
  }

  start();
  return {
    /** Stops listening; no callback is called afterwards. */
    async close(): Promise<void> {
      closed = true;
      clearTimeout(timer);
      await client?.end().catch(() => {});
    },
  };
}

export type Listener = ReturnType<typeof listen>;
