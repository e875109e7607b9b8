import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { continueListening, deviceKind } from '../entities/catalogue.ts';
import {
  boundedInteger,
  boundedNumber,
  dateTime,
  id,
  listResponse,
  messageKey,
  pagination,
  seconds,
  singleLineText,
} from '../fields.ts';
import { limits } from '../limits.ts';

/** Why a position was saved. `ended` and `skip` remove the track from continue listening (PLAY-05). */
const progressCause = z.enum(['play', 'pause', 'seek', 'tick', 'hide', 'skip', 'ended']);
export type ProgressCause = z.infer<typeof progressCause>;

/**
 * One entry of a device's journal: `sequence` increases on each device, `position` in seconds. `at` is the time by the
 * device's clock, for entries sent later; without it the time of arrival counts. `waited` is for how many seconds the
 * device queued it, which holds even with a wrong clock. `secondsPlayed` is how long the track has sounded since the
 * device's previous entry for it, whatever the speed; without it the statistics count by the positions.
 */
const progressEntry = z.object({
  track: id,
  device: id,
  sequence: boundedInteger(1, Number.MAX_SAFE_INTEGER),
  position: seconds,
  cause: progressCause,
  at: z.optional(dateTime),
  deviceKind: z.optional(deviceKind),
  waited: z.optional(z.number(messageKey('field_invalid')).check(z.minimum(0, messageKey('field_invalid')))),
  secondsPlayed: z.optional(boundedNumber(0, limits.secondsPlayed.max)),
});
export type ProgressEntry = z.infer<typeof progressEntry>;

export const saveProgress = endpoint({
  method: 'POST',
  path: '/listening/progress',
  summary: 'Saves a position; an entry sent twice counts once',
  rateLimit: 'progress',
  body: progressEntry,
  // `deviceKind`: another device, of that kind if known, has saved the later position that is returned.
  response: z.object({
    track: id,
    progress: z.number(),
    deviceKind: z.optional(z.nullable(deviceKind)),
  }),
  errors: ['not_found'],
});

export const findContinueListening = endpoint({
  method: 'GET',
  path: '/listening/continue',
  summary: 'Continue listening, most recent first',
  query: z.object(pagination),
  response: listResponse(continueListening),
});

/** Returns a signed audio URL (PLAY-04); `playlist` is the list the track is played from. */
export const grantAudio = endpoint({
  method: 'GET',
  path: '/listening/audio/:id',
  summary: 'Returns a signed URL of the audio for a user who may play it',
  params: z.object({ id }),
  query: z.object({ playlist: z.optional(id) }),
  response: z.object({ url: z.string(), expiresAt: dateTime }),
  errors: ['not_found', 'subscription_required'],
});

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
