import { Client } from 'pg';
import { type Connection, clientConfig } from './connection.ts';
import { getErrorMessage } from './database-error.ts';
import { type Log, stderrLog } from './log.ts';

const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 15_000;
const PROBE_MS = 10_000;

export interface ListenOptions {
  readonly connection: Connection;
  /** The channel that `pg_notify` names. */
  readonly channel: string;
  /** How the server lists the connection. */
  readonly name: string;
  onMessage(payload: string): void;
  /** It listens from now on, for the first time or again: what was said before was not heard. */
  onReady(): void;
  readonly log?: Log;
}

export interface Listener {
  /** Stops listening; nothing is called any more. */
  close(): Promise<void>;
}

/**
 * Listens to a channel of the database on a connection of its own, from now until it is closed; a connection that is
 * lost or cannot be made is tried again, after a quarter of a second at first, at most 15 s.
 */
export function listen(options: ListenOptions): Listener {
  const { connection, channel, name, onMessage, onReady, log = stderrLog } = options;
  let closed = false;
  let retryMs = FIRST_RETRY_MS;
  let client: Client | undefined;
  let timer: NodeJS.Timeout | undefined;

  function lost(former: Client, error?: Error): void {
    if (client !== former || closed) return;
    client = undefined;
    if (error) log.warn({ database: name, reason: getErrorMessage(error) }, 'Listening was interrupted');
    former.end().catch(() => {});
    timer = setTimeout(start, retryMs);
    retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
  }

  function start(): void {
    const made = new Client({
      ...clientConfig(connection, name),
      keepAliveInitialDelayMillis: PROBE_MS,
      connectionTimeoutMillis: PROBE_MS,
    });
    client = made;
    made.on('notification', ({ payload = '' }) => {
      if (!closed) onMessage(payload);
    });
    made.on('error', (error) => lost(made, error));
    made.on('end', () => lost(made));
    made
      .connect()
      .then(() => made.query(`listen ${made.escapeIdentifier(channel)}`))
      .then(() => {
        retryMs = FIRST_RETRY_MS;
        if (!closed) onReady();
      })
      .catch((error: Error) => lost(made, error));
  }

  start();
  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      await client?.end().catch(() => {});
    },
  };
}
