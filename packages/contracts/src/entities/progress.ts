import * as z from 'zod/mini';
import { dateTime, id, messageKey } from '../fields.ts';
import { limits } from '../limits.ts';
import { deviceKind } from './track.ts';

/** A playback position, in seconds. */
export const seconds = z
  .number(messageKey('field_invalid'))
  .check(
    z.minimum(0, messageKey('field_invalid')),
    z.maximum(limits.positionSeconds.max, messageKey('field_invalid')),
  );

/** Why a position was saved. `ended` and `skip` remove the track from continue listening (PLAY-05). */
const progressCause = z.enum(['play', 'pause', 'seek', 'tick', 'hide', 'skip', 'ended']);
export type ProgressCause = z.infer<typeof progressCause>;

/**
 * One entry of a device's journal: `sequence` increases on each device, `position` in seconds. `at` is the time by the
 * device's clock, for entries sent later; without it the time of arrival counts. `waited` is for how many seconds the
 * device queued it, which holds even with a wrong clock. `secondsPlayed` is how long the track has sounded since the
 * device's previous entry for it, whatever the speed; without it the statistics count by the positions.
 */
export const progressEntry = z.object({
  track: id,
  device: id,
  sequence: z
    .number(messageKey('field_invalid'))
    .check(
      z.int(messageKey('field_invalid')),
      z.minimum(1, messageKey('field_invalid')),
      z.maximum(Number.MAX_SAFE_INTEGER, messageKey('field_invalid')),
    ),
  position: seconds,
  cause: progressCause,
  at: z.optional(dateTime),
  deviceKind: z.optional(deviceKind),
  waited: z.optional(z.number(messageKey('field_invalid')).check(z.minimum(0, messageKey('field_invalid')))),
  secondsPlayed: z.optional(
    z
      .number(messageKey('field_invalid'))
      .check(
        z.minimum(0, messageKey('field_invalid')),
        z.maximum(limits.secondsPlayed.max, messageKey('field_invalid')),
      ),
  ),
});
export type ProgressEntry = z.infer<typeof progressEntry>;
