import type { ProgressEntry } from '@escucho/contracts';
import { readStoredJson, writeStored } from '../../shared/storage.ts';
import { acknowledge, append, type Outbox, type Place, unsentPlaces } from './model/outbox.ts';
import { readOutbox } from './model/stored.ts';
import { createSending } from './sending.ts';

const key = 'listening-outbox';
/** Under which the reader's id is kept to whom everything here belongs. */
export const ownerKey = 'listening-owner';

/** What became of an entry: `taken`, `hopeless` (the server never will take it) or `later`. */
export type Sent = 'taken' | 'hopeless' | 'later';
export type SendPlace = (entry: ProgressEntry, options: { keepalive: boolean }) => Promise<Sent>;

const read = () => readOutbox(readStoredJson(key), () => crypto.randomUUID());

// Every change reads first: another tab writes to the same outbox.
function change(next: (outbox: Outbox) => Outbox): Outbox {
  const outbox = next(read());
  writeStored(key, JSON.stringify(outbox));
  return outbox;
}

/** The last place of each track that the server does not know yet. */
export const unsent = (): Record<string, number> => unsentPlaces(read());

/** Forgets what was not sent: it belongs to a reader who has left. The device keeps its id and its count. */
export const forgetUnsent = (): void => void change((outbox) => ({ ...outbox, entries: [] }));

// In order. What cannot be sent now waits for the next place or the network.
const sending = createSending<SendPlace>(async (send) => {
  const [entry] = read().entries;
  if (!entry || (await send(entry, { keepalive: false })) === 'later') return false;
  change((outbox) => acknowledge(outbox, entry.sequence));
  return true;
});

/** A page that goes away has no time to wait its turn; the sequence tells the server the order. */
async function sendAtOnce(entry: ProgressEntry): Promise<void> {
  const sent = await sending.sender()?.(entry, { keepalive: true });
  if (sent === 'taken' || sent === 'hopeless') change((outbox) => acknowledge(outbox, entry.sequence));
}

/** Keeps a place until the server has it. It counts as of now, also when it is sent later. */
export function keep(place: Omit<Place, 'at'>): void {
  const at = new Date().toISOString();
  const entry = change((outbox) => append(outbox, { ...place, at })).entries.at(-1);
  if (place.cause === 'hide' && entry) void sendAtOnce(entry);
  else void sending.send();
}

/** Says how places are sent, and sends what waits, now and whenever the network is back. Out: sends no more. */
export const sendPlacesBy = sending.sendBy;
