import type { DeviceKind, ProgressEntry } from '@escucho/contracts';
import { acknowledge, append, type Outbox, type Place } from './model/outbox.ts';
import { readOutbox } from './model/stored.ts';
import { newId } from './new-id.ts';
import { belongsTo, keepOutbox, keptOutbox, ownerHere } from './owner.ts';
import { createSending } from './sending.ts';

/** What became of something that was told: `taken`, `hopeless` (the server never will take it) or `later`. */
export type Sent = 'taken' | 'hopeless' | 'later';
/** It was taken, but another device has gone on: there the reader is. */
export interface GoneOn {
  position: number;
  heardOn: DeviceKind | null;
}
export type SendPlace = (entry: ProgressEntry, options: { keepalive: boolean }) => Promise<Sent | GoneOn>;

const read = () => readOutbox(keptOutbox(), newId);

// Every change reads first: another tab writes to the same outbox.
function change(next: (outbox: Outbox) => Outbox): Outbox {
  const outbox = next(read());
  keepOutbox(JSON.stringify(outbox));
  return outbox;
}

/** Whether nothing was kept of a track after an entry. */
export const isLast = ({ track, sequence }: ProgressEntry): boolean =>
  !read().entries.some((entry) => entry.track === track && entry.sequence > sequence);

// In order. What cannot be sent now waits for the next place or the network, and where another reader is here for its own.
const sending = createSending<SendPlace>(async (send) => {
  if (!belongsTo(ownerHere())) return false;
  const [entry] = read().entries;
  if (!entry || (await send(entry, { keepalive: false })) === 'later') return false;
  change((outbox) => acknowledge(outbox, entry.sequence));
  return true;
});

/** A page that goes away has no time to wait its turn; the sequence tells the server the order. */
async function sendAtOnce(entry: ProgressEntry): Promise<void> {
  const sent = belongsTo(ownerHere()) && (await sending.sender()?.(entry, { keepalive: true }));
  if (sent && sent !== 'later') change((outbox) => acknowledge(outbox, entry.sequence));
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
