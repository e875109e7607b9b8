import type { ProgressQueue } from '../sync/progress-queue.ts';

/** The last place of each track that the server does not know yet. */
export const toUnsentPositions = ({ entries }: ProgressQueue): Record<string, number> =>
  Object.fromEntries(entries.map(({ track, position, cause }) => [track, cause === 'ended' ? 0 : position]));
