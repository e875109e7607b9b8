import * as z from 'zod/mini';
import { dateTime } from '../fields.ts';
import { continueListening } from './track.ts';

/** A track that was heard, and when last. */
export const historyEntry = z.extend(continueListening, { heardAt: dateTime });
export type HistoryEntry = z.infer<typeof historyEntry>;

/**
 * Listening in figures. `days`: the last 30 with today as the last, by name (`2026-11-20`), with the seconds spent
 * listening; time heard on two devices at once counts once. `daysInARow` ends today, or yesterday while today is still
 * silent. `finished`: pieces heard to their end, each once.
 */
export const listeningStatistics = z.object({
  days: z.array(z.object({ date: z.iso.date(), seconds: z.number() })),
  daysInARow: z.number(),
  finished: z.number(),
});
export type ListeningStatistics = z.infer<typeof listeningStatistics>;
