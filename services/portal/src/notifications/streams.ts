import { PassThrough, type Readable } from 'node:stream';
import { AppError } from '@escucho/contracts';

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

interface OpenStream<Context> {
  userId: string;
  context: Context;
  body: PassThrough;
  heartbeatsLeft: number;
}

/**
 * Manages the open streams of server-sent events of this process. Each stream sends heartbeats, and ends after a while
 * or when its client disconnects.
 *
 * @typeParam Context - what the data of an event depends on, per stream
 */
export function createEventStreams<Context>(limits: StreamLimits) {
  const streams = new Set<OpenStream<Context>>();
  let isClosed = false;

  function write({ body }: OpenStream<Context>, text: string): void {
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
    open(userId: string, context: Context): Readable {
      if (isClosed || streams.size >= limits.total) throw new AppError('unavailable');
      const own = [...streams].filter((stream) => stream.userId === userId);
      if (own.length >= limits.perUser) throw new AppError('too_many_requests');
      const body = new PassThrough();
      const stream: OpenStream<Context> = { userId, context, body, heartbeatsLeft: limits.maxHeartbeats };
      streams.add(stream);
      body.once('close', () => streams.delete(stream));
      // Flushes the headers.
      write(stream, ':\n\n');
      return body;
    },

    /** Sends an event to all streams, with data for each stream's context. */
    send(event: string, id: string, getData: (context: Context) => unknown): void {
      for (const stream of streams) {
        write(stream, `event: ${event}\nid: ${id}\ndata: ${JSON.stringify(getData(stream.context))}\n\n`);
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

export type EventStreams<Context> = ReturnType<typeof createEventStreams<Context>>;
