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
