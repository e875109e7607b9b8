import { api } from '@escucho/contracts';
import * as z from 'zod/mini';
import { readStorage, readStorageJson, removeFromStorage, writeStorage } from '#shared/storage.ts';
import type { ProgressQueue } from './progress-queue.ts';

const queueKey = 'listening-outbox';
const ownerKey = 'listening-owner';

// The owner as this tab knows it. It may be suspended while another user signs in in another tab.
let owner = readStorage(ownerKey);

/** Returns the id of the user who owns the stored progress, as this tab knows it. */
export const getOwner = (): string | null => owner;

/** Returns whether the stored progress belongs to a user in the other tabs, who may have signed in there. */
export const isStoredOwner = (userId: string | null): boolean => readStorage(ownerKey) === userId;

/** Returns whether the stored progress belongs to a user, in this tab and in the others. */
export const isOwner = (userId: string | null): boolean => owner === userId && isStoredOwner(userId);

/** Assigns the stored progress to a user, or to nobody. The queues of other users stay until they sign in again. */
export function setOwner(userId: string | null): void {
  if (userId !== null) writeStorage(ownerKey, userId);
  else if (isStoredOwner(owner)) removeFromStorage(ownerKey);
  owner = userId;
  removeFromStorage(queueKey);
}

const getQueueKey = () => (owner === null ? queueKey : `${queueKey}-${owner}`);

/** Returns the stored progress queue, unparsed. Earlier versions stored one queue for all users. */
export const readQueue = (): unknown => readStorageJson(getQueueKey()) ?? readStorageJson(queueKey);

export const writeQueue = (queueJson: string): void => writeStorage(getQueueKey(), queueJson);

const entrySchema = api.listening.saveProgress.body;
const queueSchema = z.catch(
  z.object({
    device: z.catch(z.string().check(z.regex(/^[0-9a-f-]{36}$/)), ''),
    sequence: z.catch(z.number(), 0),
    entries: z.catch(z.array(z.unknown()), []),
  }),
  { device: '', sequence: 0, entries: [] },
);

/**
 * Parses a stored progress queue and drops invalid entries.
 * @param createDeviceId - creates the id of this device when none is stored
 */
export function parseProgressQueue(stored: unknown, createDeviceId: () => string): ProgressQueue {
  const { device, sequence, entries: found } = queueSchema.parse(stored);
  if (!device) return { device: createDeviceId(), sequence: 0, entries: [] };
  const entries = found.flatMap((entry) => entrySchema.safeParse(entry).data ?? []);
  const lastUsed = Math.max(0, ...entries.map((entry) => entry.sequence));
  return { device, sequence: Math.max(lastUsed, Math.trunc(sequence)), entries };
}

/** Returns the last queued position of each track, in seconds. */
export const toUnsentPositions = ({ entries }: ProgressQueue): Record<string, number> =>
  Object.fromEntries(entries.map(({ track, position, cause }) => [track, cause === 'ended' ? 0 : position]));

/** Returns the last unsent position of each track, in seconds. */
export const getUnsentPositions = (): Record<string, number> =>
  toUnsentPositions(parseProgressQueue(readQueue(), () => ''));
