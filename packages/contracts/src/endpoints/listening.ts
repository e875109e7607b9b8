import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { progressEntry } from '../entities/progress.ts';
import { continueListening, deviceKind } from '../entities/track.ts';
import { dateTime, id, listResponse, pagination } from '../fields.ts';

export const saveProgress = endpoint({
  method: 'POST',
  path: '/listening/progress',
  summary: 'Saves a position; an entry sent twice counts once',
  access: 'user',
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
  access: 'user',
  rateLimit: 'read',
  query: z.object(pagination),
  response: listResponse(continueListening),
  errors: [],
});

export const removeContinueListening = endpoint({
  method: 'DELETE',
  path: '/listening/continue/:id',
  summary: 'Removes a track from continue listening; its position stays',
  access: 'user',
  rateLimit: 'write',
  params: z.object({ id }),
  response: z.object({ _id: id }),
  errors: ['not_found'],
});

/** Returns a signed audio URL (PLAY-04); `playlist` is the list the track is played from. */
export const grantAudio = endpoint({
  method: 'GET',
  path: '/listening/audio/:id',
  summary: 'Returns a signed URL of the audio for a user who may play it',
  access: 'user',
  rateLimit: 'read',
  params: z.object({ id }),
  query: z.object({ playlist: z.optional(id) }),
  response: z.object({ url: z.string(), expiresAt: dateTime }),
  errors: ['not_found', 'subscription_required'],
});
