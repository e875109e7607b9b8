import * as z from 'zod/mini';
import { dateTime, id } from '../fields.ts';

export const playlistOrigin = z.enum(['system', 'user', 'auto']);

/** Playlist (specification, section 3). `titles` are a system playlist's names by language; `name` stays the source's name. */
export const playlist = z.object({
  _id: id,
  name: z.string(),
  titles: z.nullable(z.object({ en: z.string(), es: z.string() })),
  origin: playlistOrigin,
  active: z.boolean(),
  images: z.array(z.object({ url: z.string() })),
  totalTracks: z.number(),
  totalDuration: z.number(),
  createdAt: dateTime,
});
export type Playlist = z.infer<typeof playlist>;
