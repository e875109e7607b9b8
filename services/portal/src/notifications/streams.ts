import { PassThrough, type Readable } from 'node:stream';
import { AppError } from '@escucho/contracts';

export interface StreamLimits {
  /** Streams at once: of one reader (tabs and devices on this process), and of all. */
  perUser: number;
  total: number;
  /** Milliseconds between two signs of life, and how many of them a stream lives. */
  heartbeatMs: number;
  maxHeartbeats: number;
}

export const STREAM_LIMITS: StreamLimits = {
  perUser: 6,
  total: 2000,
  heartbeatMs: 25_000,
  maxHeartbeats: 72,
};

/** A reader who lets so many bytes lie is gone, or will ask anew. */
const MAX_BUFFERED_BYTES = 64 * 1024;

interface OpenStream<Who> {
  reader: string;
  who: Who;
  body: PassThrough;
  beats: number;
}

/**
 * The open streams of server-sent events on this process. In: limits, and what else is known of each (`Who`). Each
 * stream says now and then that it is alive, and ends by itself after a while or when its reader leaves.
 */
export function createEventStreams<Who>({
  perUser: perReader,
  total,
  heartbeatMs: beatMs,
  maxHeartbeats: beats,
}: StreamLimits) {
  const all = new Set<OpenStream<Who>>();
  let closed = false;

  function write({ body }: OpenStream<Who>, text: string): void {
    body.write(text);
    if (body.writableLength > MAX_BUFFERED_BYTES) body.destroy();
  }

  function beat(): void {
    for (const open of all) {
      open.beats -= 1;
      if (open.beats > 0) write(open, ':\n\n');
      else open.body.end();
    }
  }

  const timer = setInterval(beat, beatMs);
  timer.unref();

  return {
    /** A new stream. Throws `too_many_requests`, `unavailable`. */
    open(reader: string, who: Who): Readable {
      if (closed || all.size >= total) throw new AppError('unavailable');
      const own = [...all].filter((open) => open.reader === reader);
      if (own.length >= perReader) throw new AppError('too_many_requests');
      const open: OpenStream<Who> = { reader, who, body: new PassThrough(), beats };
      all.add(open);
      open.body.once('close', () => all.delete(open));
      // Sends the head of the answer on its way.
      write(open, ':\n\n');
      return open.body;
    },

    /** Sends an event to everybody. In: its name, its id, and its data for each stream. */
    send(event: string, id: string, dataFor: (who: Who) => unknown): void {
      for (const open of all) {
        write(open, `event: ${event}\nid: ${id}\ndata: ${JSON.stringify(dataFor(open.who))}\n\n`);
      }
    },

    /** Ends all of them, and lets nobody in any more. */
    close(): void {
      closed = true;
      clearInterval(timer);
      for (const { body } of all) body.end();
    },
  };
}

export type EventStreams<Who> = ReturnType<typeof createEventStreams<Who>>;
