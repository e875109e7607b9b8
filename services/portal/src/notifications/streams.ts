import { PassThrough, type Readable } from 'node:stream';
import { AppError } from '@escucho/contracts';

export interface StreamLimits {
  /** Streams at once: of one reader (tabs and devices on this process), and of all. */
  perReader: number;
  total: number;
  /** Milliseconds between two signs of life, and how many of them a stream lives. */
  beatMs: number;
  beats: number;
}

export const streamLimits: StreamLimits = { perReader: 6, total: 2000, beatMs: 25_000, beats: 72 };

/** A reader who lets so many bytes lie is gone, or will ask anew. */
const MOST_WAITING = 64 * 1024;

interface Open<Who> {
  reader: string;
  who: Who;
  body: PassThrough;
  beats: number;
}

/**
 * The open streams of server-sent events on this process. In: limits, and what else is known of each (`Who`). Each
 * stream says now and then that it is alive, and ends by itself after a while or when its reader leaves.
 */
export function eventStreams<Who>({ perReader, total, beatMs, beats }: StreamLimits) {
  const all = new Set<Open<Who>>();
  let closed = false;

  function write({ body }: Open<Who>, text: string): void {
    body.write(text);
    if (body.writableLength > MOST_WAITING) body.destroy();
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
      const open: Open<Who> = { reader, who, body: new PassThrough(), beats };
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

export type EventStreams<Who> = ReturnType<typeof eventStreams<Who>>;
