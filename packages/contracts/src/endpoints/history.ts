import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { continueListening } from '../entities/catalogue.ts';
import { dateTime, id, listResponse, messageKey, pagination, singleLineText } from '../fields.ts';
import { limits } from '../limits.ts';

/** A track of the listening history, and when it was last played. */
const historyEntry = z.extend(continueListening, { listenedAt: dateTime });
export type HistoryEntry = z.infer<typeof historyEntry>;

/**
 * Listening statistics. `days`: the last 30 days, today last, by date (`2026-11-20`), with the seconds listened; time on
 * two devices at once counts once. `daysInARow` is the streak that ends today, or yesterday if today has no listening yet.
 * `finished` counts distinct tracks played to their end.
 */
const listeningStatistics = z.object({
  days: z.array(z.object({ date: z.iso.date(), seconds: z.number() })),
  daysInARow: z.number(),
  finished: z.number(),
});
export type ListeningStatistics = z.infer<typeof listeningStatistics>;

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

const timeZone = singleLineText(limits.timeZone.max).check(z.refine(isTimeZone, messageKey('field_invalid')));

export const findHistory = endpoint({
  method: 'GET',
  path: '/listening/history',
  summary: 'Listening history, most recent first, a page at a time',
  query: z.object(pagination),
  response: listResponse(historyEntry),
});

/** Positions and statistics stay; a track listened to later is listed again. */
export const clearHistory = endpoint({
  method: 'DELETE',
  path: '/listening/history',
  summary: 'Clears the listening history',
  response: z.object({ removed: z.number() }),
});

export const removeFromHistory = endpoint({
  method: 'DELETE',
  path: '/listening/history/:id',
  summary: 'Removes a track from the history',
  params: z.object({ id }),
  response: z.object({ _id: id }),
  errors: ['not_found'],
});

/** Undoes a removal: the track returns to its former place. */
export const restoreToHistory = endpoint({
  method: 'PUT',
  path: '/listening/history/:id',
  summary: 'Restores a removed track to the history',
  params: z.object({ id }),
  response: z.object({ _id: id }),
  errors: ['not_found'],
});

export const findStatistics = endpoint({
  method: 'GET',
  path: '/listening/statistics',
  summary: 'Listening statistics by day of a time zone (IANA name, default UTC)',
  rateLimit: 'report',
  query: z.object({ timeZone: z._default(timeZone, 'UTC') }),
  response: listeningStatistics,
});
