import { randomUUID } from 'node:crypto';
import type { ProgressCause } from '@escucho/contracts';
import {
  enqueueProgress,
  type ProgressQueue,
  removeEntry,
} from '../../../../web/src/features/player/sync/progress-queue.ts';
import type { Recorder } from './recorder.ts';
import type { Session } from './session.ts';

/** Client errors that another attempt may correct. */
const RETRYABLE_STATUSES = [401, 408, 429];

/** A saved position that the server has acknowledged. */
export type AcknowledgedPosition = readonly [sequence: number, track: string, position: number];

/**
 * Creates the saving of positions of one device, with the queue of the web app: an entry that failed is sent again with
 * the next one, and a later position replaces an earlier one that waits.
 */
export function createProgress({ session, recorder }: { session: Session; recorder: Recorder }) {
  const device = randomUUID();
  const acknowledged: AcknowledgedPosition[] = [];
  const rejected: string[] = [];
  let queue: ProgressQueue = { device, sequence: 0, entries: [] };
  let sending: Promise<void> | undefined;
  let waitingSince = 0;
  let attempts = 0;

  /** Sends the first entry. Resolves to whether there may be more to send. */
  async function sendNext(): Promise<boolean> {
    const [entry] = queue.entries;
    if (!entry) return false;
    attempts += 1;
    const outcome = await session.send({
      method: 'POST',
      path: '/api/listening/progress',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(entry),
    });
    if (outcome.status === 200) {
      acknowledged.push([entry.sequence, entry.track, entry.position]);
      recorder.succeed('position', performance.now() - waitingSince, attempts);
    } else {
      recorder.fail('position', outcome.name);
      const { status } = outcome;
      if (status < 400 || status >= 500 || RETRYABLE_STATUSES.includes(status)) return false;
      rejected.push(`${status} ${outcome.body}`);
      recorder.giveUp('position');
    }
    queue = removeEntry(queue, entry.sequence);
    [waitingSince, attempts] = [performance.now(), 0];
    return true;
  }

  async function sendAll(): Promise<void> {
    while (await sendNext());
    sending = undefined;
  }

  return {
    device,
    acknowledged,
    rejected,
    save(track: string, position: number, cause: ProgressCause): void {
      if (queue.entries.length === 0) [waitingSince, attempts] = [performance.now(), 0];
      queue = enqueueProgress(queue, { track, position, cause, at: new Date().toISOString() });
      sending ??= sendAll();
    },
    /** Sends what is queued, as far as it succeeds. Returns whether everything was sent. */
    async flush(): Promise<boolean> {
      sending ??= sendAll();
      await sending;
      return queue.entries.length === 0;
    },
  };
}
