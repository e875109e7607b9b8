import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { continueListening, level, playlist, track } from '../entities/catalogue.ts';

/**
 * Discover in one response (CAT-02): continue listening, then one row per system playlist. `atLevel`, for users who chose
 * a level: the newest articles at it in the learning language that they have not started.
 */
export const discover = endpoint({
  method: 'GET',
  path: '/catalogue/discover',
  summary: 'What Discover shows',
  response: z.object({
    continueListening: z.array(continueListening),
    rows: z.array(z.object({ playlist, tracks: z.array(track) })),
    atLevel: z.optional(z.object({ level, tracks: z.array(track) })),
  }),
});
