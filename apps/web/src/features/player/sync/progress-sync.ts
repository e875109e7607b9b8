import type { DeviceKind, ProgressEntry } from '@escucho/contracts';
import { parseProgressQueue } from '../model/stored.ts';
import { enqueueProgress, type ProgressQueue, type ProgressUpdate, removeEntry } from './progress-queue.ts';
import { getOwner, isOwner, readQueue, writeQueue } from './progress-storage.ts';
import { createSendQueue } from './send-queue.ts';
import { createUuid } from './uuid.ts';

/** What became of something that was told: `taken`, `hopeless` (the server never will take it) or `later`. */
export type SendResult = 'accepted' | 'rejected' | 'retryLater';
/** It was taken, but another device has gone on: there the reader is. */
export interface RemoteProgress {
  position: number;
  heardOn: DeviceKind | null;
}
export type SendProgress = (
  entry: ProgressEntry,
  options: { keepalive: boolean },
) => Promise<SendResult | RemoteProgress>;

const read = () => parseProgressQueue(readQueue(), createUuid);

// Every change reads first: another tab writes to the same outbox.
function change(next: (outbox: ProgressQueue) => ProgressQueue): ProgressQueue {
  const outbox = next(read());
  writeQueue(JSON.stringify(outbox));
  return outbox;
}

/** Whether nothing was kept of a track after an entry. */
export const isLatestEntry = ({ track, sequence }: ProgressEntry): boolean =>
  !read().entries.some((entry) => entry.track === track && entry.sequence > sequence);

// In order. What cannot be sent now waits for the next place or the network, and where another reader is here for its own.
const sending = createSendQueue<SendProgress>(async (send) => {
  if (!isOwner(getOwner())) return false;
  const [entry] = read().entries;
  if (!entry || (await send(entry, { keepalive: false })) === 'retryLater') return false;
  change((outbox) => removeEntry(outbox, entry.sequence));
  return true;
});

/** A page that goes away has no time to wait its turn; the sequence tells the server the order. */
async function sendAtOnce(entry: ProgressEntry): Promise<void> {
  const sent = isOwner(getOwner()) && (await sending.sender()?.(entry, { keepalive: true }));
  if (sent && sent !== 'retryLater') change((outbox) => removeEntry(outbox, entry.sequence));
}

/** Keeps a place until the server has it. It counts as of now, also when it is sent later. */
export function saveProgress(place: Omit<ProgressUpdate, 'at'>): void {
  const at = new Date().toISOString();
  const entry = change((outbox) => enqueueProgress(outbox, { ...place, at })).entries.at(-1);
  if (place.cause === 'hide' && entry) void sendAtOnce(entry);
  else void sending.send();
}

/** Says how places are sent, and sends what waits, now and whenever the network is back. Out: sends no more. */
export const startProgressSync = sending.sendBy;
