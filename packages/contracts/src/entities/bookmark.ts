import * as z from 'zod/mini';
import { dateTime, id, singleLineText } from '../fields.ts';
import { limits } from '../limits.ts';
import { seconds } from './progress.ts';
import { track } from './track.ts';

/** A bookmarked position of a track, in seconds, with a note that may be empty. */
export const bookmark = z.object({
  _id: id,
  track: id,
  position: z.number(),
  note: z.string(),
  createdAt: dateTime,
});
export type Bookmark = z.infer<typeof bookmark>;

/** A bookmark with its track, and the sentence at its position; null where there is none. */
export const bookmarkEntry = z.object({ bookmark, track, sentence: z.nullable(z.string()) });
export type BookmarkEntry = z.infer<typeof bookmarkEntry>;

/** The fields of a bookmark that a user can change. */
export const bookmarkChange = z.object({
  track: id,
  position: seconds,
  note: singleLineText(limits.bookmarks.note),
});
