import { AppError, api, type ProgressEntry } from '@escucho/contracts';
import { isLockConflict, isTransientError } from '@escucho/database';
import type { CurrentUser, Route } from '../accounts/user.ts';
import { createBatcher } from '../batches.ts';
import type { Database } from '../database.ts';
import { isFromOtherDevice, mergeProgress, type Progress } from './policy.ts';
import { type AppendedEntry, runSaveSteps, type UserEntry } from './progress-repository.ts';

const toKey = ({ userId, entry }: UserEntry) => `${userId} ${entry.track}`;

/** Groups entries, in order, so that none has two of one user and track: an entry merges into what the one before left. */
function groupDistinct(entries: readonly UserEntry[]): UserEntry[][] {
  const groups: UserEntry[][] = [];
  const counts = new Map<string, number>();
  for (const entry of entries) {
    const number = counts.get(toKey(entry)) ?? 0;
    counts.set(toKey(entry), number + 1);
    groups[number] = [...(groups[number] ?? []), entry];
  }
  return groups;
}

function merge({ entry, saved, isNew, lastSequence }: AppendedEntry, now: Date): Progress | undefined {
  const unchangedForSeconds = (now.getTime() - saved.updatedAt.getTime()) / 1000;
  const context = { lastSequence, duration: saved.duration, unchangedForSeconds };
  return isNew ? mergeProgress(saved, entry, context) : undefined;
}

const toSavedProgress = (entry: ProgressEntry, saved: Progress, merged: Progress | undefined) => ({
  track: entry.track,
  progress: (merged ?? saved).position,
  ...(merged && isFromOtherDevice(merged, entry) && { deviceKind: merged.deviceKind }),
});

/** By entry: the progress that was saved, or why it was not. */
type Results = Map<UserEntry, ReturnType<typeof toSavedProgress> | Error>;

/** Saves progress (PLAY-05). Entries that arrive together are written by one transaction. */
export function createProgressService(db: Database, clock: () => Date) {
  /** Writes entries, at most one per user and track, in one transaction. */
  async function writeTogether(entries: readonly UserEntry[], results: Results): Promise<void> {
    const saved = await runSaveSteps(db, async (steps) => {
      if (entries.length > 1) await steps.limitLockWaits();
      const now = clock();
      const locked = await steps.lockProgress(entries, now);
      const appended = await steps.appendEvents(locked, now);
      const merged = appended.map((entry) => ({ ...entry, merged: merge(entry, now) }));
      await steps.updateProgress(
        merged.flatMap(({ merged, ...entry }) => (merged ? [{ ...entry, merged }] : [])),
        now,
      );
      return new Map(
        merged.map((each) => [toKey(each), toSavedProgress(each.entry, each.saved, each.merged)]),
      );
    });
    for (const entry of entries) results.set(entry, saved.get(toKey(entry)) ?? new AppError('not_found'));
  }

  /** Writes entries together; each by itself where one of them prevents that. */
  async function writeGroup(entries: readonly UserEntry[], results: Results): Promise<void> {
    try {
      await writeTogether(entries, results);
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(String(cause));
      const isOutage = isTransientError(error) && !isLockConflict(error);
      if (entries.length === 1 || isOutage) for (const entry of entries) results.set(entry, error);
      else await Promise.all(entries.map((entry) => writeGroup([entry], results)));
    }
  }

  async function write(entries: readonly UserEntry[]) {
    const results: Results = new Map();
    for (const group of groupDistinct(entries)) await writeGroup(group, results);
    return entries.map((entry) => results.get(entry) ?? new Error('unreachable'));
  }

  const save = createBatcher(write);
  return {
    /**
     * Saves a device's position in a track.
     *
     * @returns the user's progress now; `deviceKind` when another device continued in the meantime
     * @throws AppError `not_found` for an unknown track
     */
    saveProgress: (user: CurrentUser, entry: ProgressEntry) => save({ userId: user.id, entry }),
  };
}

type ProgressService = ReturnType<typeof createProgressService>;

/** Registers the endpoint that saves positions. */
export function registerProgress(route: Route, progress: ProgressService): void {
  route(api.listening.saveProgress).handle(({ user, body }) => progress.saveProgress(user, body));
}
