import { PassThrough, type Readable } from 'node:stream';
import { AppError } from '@escucho/contracts';
import { type Connection, type Listener, type Log, listen } from '@escucho/database';
import type { Language } from '@escucho/service-kit';
import type { NotificationRepository, NotificationRow } from './repository.ts';

export interface StreamLimits {
  /** Concurrent streams of one user (tabs and devices) in this process. */
  perUser: number;
  /** Concurrent streams of all users in this process. */
  total: number;
  heartbeatMs: number;
  /** A stream ends after so many heartbeats. */
  maxHeartbeats: number;
}

export const STREAM_LIMITS: StreamLimits = {
  perUser: 6,
  total: 2000,
  heartbeatMs: 25_000,
  maxHeartbeats: 72,
};

/** A client with so many unread bytes is disconnected; it reconnects if it still exists. */
const MAX_BUFFERED_BYTES = 64 * 1024;

interface OpenStream {
  userId: string;
  language: Language;
  body: PassThrough;
  heartbeatsLeft: number;
}

/**
 * Manages the open streams of server-sent events of this process. Each stream sends heartbeats, and ends after a while
 * or when its client disconnects.
 */
export function createEventStreams(limits: StreamLimits) {
  const streams = new Set<OpenStream>();
  let isClosed = false;

  function write({ body }: OpenStream, text: string): void {
    body.write(text);
    if (body.writableLength > MAX_BUFFERED_BYTES) body.destroy();
  }

  function sendHeartbeats(): void {
    for (const stream of streams) {
      stream.heartbeatsLeft -= 1;
      if (stream.heartbeatsLeft > 0) write(stream, ':\n\n');
      else stream.body.end();
    }
  }

  const timer = setInterval(sendHeartbeats, limits.heartbeatMs);
  timer.unref();

  return {
    /** @throws AppError `too_many_requests`, `unavailable` */
    open(userId: string, language: Language): Readable {
      if (isClosed || streams.size >= limits.total) throw new AppError('unavailable');
      const own = [...streams].filter((stream) => stream.userId === userId);
      if (own.length >= limits.perUser) throw new AppError('too_many_requests');
      const body = new PassThrough();
      const stream: OpenStream = { userId, language, body, heartbeatsLeft: limits.maxHeartbeats };
      streams.add(stream);
      body.once('close', () => streams.delete(stream));
      // Flushes the headers.
      write(stream, ':\n\n');
      return body;
    },

    /** Sends an event to all streams, with data in each stream's language. */
    send(id: string, getData: (language: Language) => unknown): void {
      for (const stream of streams) {
        const data = JSON.stringify(getData(stream.language));
        write(stream, `event: notification\nid: ${id}\ndata: ${data}\n\n`);
      }
    },

    /** Ends all streams and refuses new ones. */
    close(): void {
      isClosed = true;
      clearInterval(timer);
      for (const { body } of streams) body.end();
    },
  };
}

/** So many notifications are recognized as already emitted. */
const MAX_SEEN_IDS = 100;
/** So many are looked for that were missed: fewer, because each that is retracted moves an older one up. */
const MAX_MISSED = 50;

export interface NotificationListenerDeps {
  connection: Connection;
  notifications: Pick<NotificationRepository, 'find' | 'findPage'>;
  log: Log;
  /** Called once for each notification published from now on. */
  onNew: (row: NotificationRow) => void;
}

/**
 * Listens for notifications that any process publishes (PostgreSQL's LISTEN). Those published while the connection was
 * lost are emitted as soon as it is back.
 */
export function createNotificationListener(deps: NotificationListenerDeps) {
  const { connection, notifications, log, onNew } = deps;
  let listener: Promise<Listener> | undefined;
  let seenIds: string[] = [];

  const logError = (error: unknown) =>
    log.warn({ reason: String(error) }, 'a notification could not be read');

  /** Returns whether the notification had not been seen. */
  function markAsSeen({ id }: NotificationRow): boolean {
    if (seenIds.includes(id)) return false;
    seenIds = [...seenIds, id].slice(-MAX_SEEN_IDS);
    return true;
  }

  /** Returns the newest, in the order of their publication. */
  const findNewest = async (limit: number): Promise<NotificationRow[]> =>
    (await notifications.findPage({ page: 1, limit })).rows.toReversed();

  async function emit(id: string): Promise<void> {
    const row = await notifications.find(id);
    if (row && markAsSeen(row)) onNew(row);
  }

  async function emitMissed(): Promise<void> {
    // Those that are not seen, and not those since the last one: the clocks of processes differ.
    for (const row of await findNewest(MAX_MISSED)) if (markAsSeen(row)) onNew(row);
  }

  async function subscribe(): Promise<Listener> {
    (await findNewest(MAX_SEEN_IDS)).forEach(markAsSeen);
    return listen({
      connection,
      log,
      channel: 'portal_notification',
      name: 'portal notifications',
      onMessage: (id) => void emit(id).catch(logError),
      onReady: () => void emitMissed().catch(logError),
    });
  }

  return {
    /** Starts listening on the first call, so that a process without streams needs no connection. */
    async start(): Promise<void> {
      listener ??= subscribe();
      await listener.catch((error: unknown) => {
        listener = undefined;
        throw error;
      });
    },

    async close(): Promise<void> {
      await (await listener?.catch(() => undefined))?.close();
    },
  };
}
