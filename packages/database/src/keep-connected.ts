import { Client } from 'pg';
import { type Connection, clientConfig, getDirectConnection } from './connection.ts';
import { getErrorMessage } from './database-error.ts';
import { type Log, stderrLog } from './open-database.ts';

const FIRST_RETRY_MS = 250;
/** After so long without data, TCP asks whether the idle connection still exists; Linux by itself waits two hours. */
const PROBE_MS = 10_000;
/** The longest time between two attempts of a listener to connect. */
const MAX_LISTENER_RETRY_MS = 15_000;

interface LastingConnectionOptions {
  readonly connection: Connection;
  /** The application name that PostgreSQL shows for the connection. */
  readonly name: string;
  /** The longest time between two attempts to connect, which doubles from 250 ms. */
  readonly maxRetryMs: number;
  /** Called with the client of each new connection; where it fails, that connection is replaced. */
  onConnect(client: Client): Promise<unknown>;
  /** Called when the connection is lost, and after each attempt that fails. */
  onLost(error: Error): void;
}

/**
 * Keeps a connection of its own to the database, past a connection pooler, until it is closed: connects again with backoff
 * when it is lost.
 */
export function keepConnected({ connection, name, maxRetryMs, onConnect, onLost }: LastingConnectionOptions) {
  let isClosed = false;
  let retryMs = FIRST_RETRY_MS;
  let client: Client | undefined;
  let timer: NodeJS.Timeout | undefined;

  function replace(lost: Client, error?: Error): void {
    if (client !== lost || isClosed) return;
    client = undefined;
    if (error) onLost(error);
    lost.end().catch(() => {});
    timer = setTimeout(connect, retryMs);
    retryMs = Math.min(retryMs * 2, maxRetryMs);
  }

  /** Returns the error of an attempt that failed. */
  async function connect(): Promise<Error | undefined> {
    const created = new Client({
      ...clientConfig(getDirectConnection(connection), name),
      keepAliveInitialDelayMillis: PROBE_MS,
      connectionTimeoutMillis: PROBE_MS,
    });
    client = created;
    created.on('error', (error) => replace(created, error));
    created.on('end', () => replace(created));
    return created
      .connect()
      .then(() => onConnect(created))
      .then(
        () => {
          retryMs = FIRST_RETRY_MS;
          return undefined;
        },
        (error: Error) => {
          replace(created, error);
          return error;
        },
      );
  }

  return {
    /** Resolves once the first attempt has ended, with its error if it failed; others follow it. */
    firstAttempt: connect(),

    /** Returns the client of the connection, which may not have been made yet; undefined between two attempts. */
    getClient: () => client,

    isClosed: () => isClosed,

    /** Closes the connection, and connects no more. */
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(timer);
      await client?.end().catch(() => {});
    },
  };
}

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

/** Listens to a channel of the database on its own connection until it is closed. */
export function listen({ connection, channel, name, onMessage, onReady, log = stderrLog }: ListenOptions) {
  // A callback may still be under way once it is closed.
  const { close, isClosed } = keepConnected({
    connection,
    name,
    maxRetryMs: MAX_LISTENER_RETRY_MS,
    async onConnect(client) {
      client.on('notification', ({ payload = '' }) => {
        if (!isClosed()) onMessage(payload);
      });
      await client.query(`listen ${client.escapeIdentifier(channel)}`);
      if (!isClosed()) onReady();
    },
    onLost: (error) =>
      log.warn({ database: name, reason: getErrorMessage(error) }, 'database listener lost its connection'),
  });
  /** `close` stops listening; no callback is called afterwards. */
  return { close };
}

export type Listener = ReturnType<typeof listen>;
