import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { playlist } from '../entities/playlist.ts';
import { continueListening, level, track } from '../entities/track.ts';

/**
 * Discover in one answer (CAT-02): continue listening, then one row for each system playlist. `atLevel`, for a reader who
 * chose a level: the newest at it, in the language that is learned, that was not begun yet.
 */
export const discover = endpoint({
  method: 'GET',
  path: '/catalogue/discover',
  summary: 'What Discover shows',
  access: 'user',
  response: z.object({
    continueListening: z.array(continueListening),
    rows: z.array(z.object({ playlist, tracks: z.array(track) })),
    atLevel: z.optional(z.object({ level, tracks: z.array(track) })),
  }),
  errors: [],
});
