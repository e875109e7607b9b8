import { readStorage, readStorageJson, removeFromStorage, writeStorage } from '#shared/storage.ts';
import { parseProgressQueue } from '../model/stored.ts';
import { toUnsentPositions } from '../model/unsent.ts';

const key = 'listening-outbox';
const ownerKey = 'listening-owner';

// As this tab knows it: it may sleep while another reader comes in another tab.
let owner = readStorage(ownerKey);

/** To whom what is kept here belongs, as far as this tab knows. */
export const getOwner = (): string | null => owner;

/** Whether what is kept here belongs to a reader, in this tab and in the others. */
export const isOwner = (reader: string | null): boolean =>
  owner === reader && readStorage(ownerKey) === reader;

/** From now on what is kept here belongs to a reader; null: to nobody. What others have not told yet waits for them. */
export function setOwner(reader: string | null): void {
  if (reader !== null) writeStorage(ownerKey, reader);
  else if (readStorage(ownerKey) === owner) removeFromStorage(ownerKey);
  owner = reader;
  removeFromStorage(key);
}

/** Each reader has an outbox of their own. */
const ownKey = () => (owner === null ? key : `${key}-${owner}`);

/** The outbox as it was kept: anything. Versions before kept one for whoever was here. */
export const readQueue = (): unknown => readStorageJson(ownKey()) ?? readStorageJson(key);

/** Keeps the outbox, as JSON. */
export const writeQueue = (outbox: string): void => writeStorage(ownKey(), outbox);

/** The last place of each track that the server does not know yet. */
export const getUnsentPositions = (): Record<string, number> =>
  toUnsentPositions(parseProgressQueue(readQueue(), () => ''));
