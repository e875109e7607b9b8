import type { DeviceKind, ProgressEntry } from '@escucho/contracts';
import { createUuid } from '#shared/uuid.ts';
import { enqueueProgress, type ProgressQueue, type ProgressUpdate, removeEntry } from './progress-queue.ts';
import { getOwner, isOwner, parseProgressQueue, readQueue, writeQueue } from './progress-storage.ts';
import { createSendQueue, type SendResult } from './send-queue.ts';

/** The progress of another device that is ahead of the accepted entry. */
export interface RemoteProgress {
  /** Seconds. */
  position: number;
  deviceKind: DeviceKind | null;
}

/** Sends an entry to the server. `keepalive`: the request outlives the page. */
export type SendProgress = (
  entry: ProgressEntry,
  options: { keepalive: boolean },
) => Promise<SendResult | RemoteProgress>;

const loadQueue = () => parseProgressQueue(readQueue(), createUuid);

// Reads the storage before each change: other tabs write to the same queue.
function updateQueue(change: (queue: ProgressQueue) => ProgressQueue): ProgressQueue {
  const queue = change(loadQueue());
  writeQueue(JSON.stringify(queue));
  return queue;
}

/** Returns whether no newer entry of the same track is queued. */
export const isLatestEntry = ({ track, sequence }: ProgressEntry): boolean =>
  !loadQueue().entries.some((entry) => entry.track === track && entry.sequence > sequence);

const sendQueue = createSendQueue<SendProgress>(async (send) => {
  if (!isOwner(getOwner())) return 'empty';
  const [entry] = loadQueue().entries;
  if (!entry) return 'empty';
  if ((await send(entry, { keepalive: false })) === 'retryLater') return 'failed';
  updateQueue((queue) => removeEntry(queue, entry.sequence));
  return 'settled';
});

/** Sends an entry out of order: a page that is closing cannot wait. The server orders entries by sequence number. */
async function sendImmediately(entry: ProgressEntry): Promise<void> {
  const result = isOwner(getOwner()) && (await sendQueue.getSend()?.(entry, { keepalive: true }));
  if (result && result !== 'retryLater') updateQueue((queue) => removeEntry(queue, entry.sequence));
}

/** Saves the progress of a track: queues it with the current time and sends the queue. */
export function saveProgress(update: Omit<ProgressUpdate, 'at'>): void {
  const at = new Date().toISOString();
  const entry = updateQueue((queue) => enqueueProgress(queue, { ...update, at })).entries.at(-1);
  if (update.cause === 'hide' && entry) void sendImmediately(entry);
  else void sendQueue.flush();
}

/**
 * Starts sending queued progress, now and whenever the network is restored.
 * @returns a function that stops it
 */
export const startProgressSync = sendQueue.start;
