import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { track } from '../entities/catalogue.ts';
import { dateTime, id, listResponse, pagination, searchText, seconds, singleLineText } from '../fields.ts';
import { limits } from '../limits.ts';

/** A bookmarked position of a track, in seconds, with a note that may be empty. */
const bookmark = z.object({
  _id: id,
  track: id,
  position: z.number(),
  note: z.string(),
  createdAt: dateTime,
});
export type Bookmark = z.infer<typeof bookmark>;

/** A bookmark with its track, and the sentence at its position; null where there is none. */
const bookmarkEntry = z.object({ bookmark, track, sentence: z.nullable(z.string()) });
export type BookmarkEntry = z.infer<typeof bookmarkEntry>;

/** The fields of a bookmark that a user can change, and when a new one was created; now by default. */
const bookmarkChange = z.object({
  track: id,
  position: seconds,
  note: singleLineText(limits.bookmarks.note),
  createdAt: z.optional(dateTime),
});

export const findBookmarks = endpoint({
  method: 'GET',
  path: '/bookmarks',
  summary: 'The user’s bookmarks in a track, by position',
  query: z.object({ track: id }),
  response: z.object({ docs: z.array(bookmark) }),
});

/** `q` is looked for in notes and titles; case and accents are ignored. */
export const findAllBookmarks = endpoint({
  method: 'GET',
  path: '/bookmarks/find-paginated',
  summary: 'The user’s bookmarks in all tracks, newest first, a page at a time',
  rateLimit: 'bookmarkList',
  query: z.object({ q: searchText, ...pagination }),
  response: listResponse(bookmarkEntry),
});

/** The client generates the id, so that a bookmark created offline is created once. */
export const saveBookmark = endpoint({
  method: 'PUT',
  path: '/bookmarks/:id',
  summary: 'Creates or changes a bookmark; the same request again changes nothing',
  params: z.object({ id }),
  body: bookmarkChange,
  response: bookmark,
  errors: ['not_found', 'limit_reached'],
});

export const deleteBookmark = endpoint({
  method: 'DELETE',
  path: '/bookmarks/:id',
  summary: 'Deletes a bookmark',
  params: z.object({ id }),
  response: z.object({ _id: id }),
  errors: ['not_found'],
});
