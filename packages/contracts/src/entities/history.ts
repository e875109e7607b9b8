import * as z from 'zod/mini';
import { dateTime } from '../fields.ts';
import { continueListening } from './track.ts';

/** A track of the listening history, and when it was last played. */
export const historyEntry = z.extend(continueListening, { listenedAt: dateTime });
export type HistoryEntry = z.infer<typeof historyEntry>;

/**
 * Listening statistics. `days`: the last 30 days, today last, by date (`2026-11-20`), with the seconds listened; time on
 * two devices at once counts once. `daysInARow` is the streak that ends today, or yesterday if today has no listening yet.
 * `finished` counts distinct tracks played to their end.
 */
export const listeningStatistics = z.object({
  days: z.array(z.object({ date: z.iso.date(), seconds: z.number() })),
  daysInARow: z.number(),
  finished: z.number(),
});
export type ListeningStatistics = z.infer<typeof listeningStatistics>;
