import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { progressEntry } from '../entities/progress.ts';
import { continueListening, deviceKind } from '../entities/track.ts';
import { dateTime, id, listResponse, pagination } from '../fields.ts';

export const saveProgress = endpoint({
  method: 'POST',
  path: '/listening/progress',
  summary: 'Saves a place; an entry sent twice counts once',
  access: 'user',
  body: progressEntry,
  // `heardOn`: another device, of that kind where it said so, has gone on meanwhile, and the place is still the one it left.
  response: z.object({
    track: id,
    progress: z.number(),
    heardOn: z.optional(z.nullable(deviceKind)),
  }),
  errors: ['not_found'],
});

export const findContinueListening = endpoint({
  method: 'GET',
  path: '/listening/continue',
  summary: 'What the reader has begun, last heard first',
  access: 'user',
  query: z.object(pagination),
  response: listResponse(continueListening),
  errors: [],
});

export const removeContinueListening = endpoint({
  method: 'DELETE',
  path: '/listening/continue/:id',
  summary: 'Takes a track out of continue listening; the place is kept',
  access: 'user',
  params: z.object({ id }),
  response: z.object({ _id: id }),
  errors: ['not_found'],
});

/** A fresh signed address for a track's audio (PLAY-04): `playlist` is the list it is played from. */
export const grantAudio = endpoint({
  method: 'GET',
  path: '/listening/audio/:id',
  summary: 'Signs an address of the audio for a reader who may play it',
  access: 'user',
  params: z.object({ id }),
  query: z.object({ playlist: z.optional(id) }),
  response: z.object({ url: z.string(), expiresAt: dateTime }),
  errors: ['not_found', 'subscription_required'],
});
