import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { bookmark, bookmarkChange } from '../entities/bookmark.ts';
import { id } from '../fields.ts';

export const findBookmarks = endpoint({
  method: 'GET',
  path: '/bookmarks',
  summary: 'The reader’s bookmarks in a track, in its order',
  access: 'user',
  rateLimit: 'read',
  query: z.object({ track: id }),
  response: z.object({ docs: z.array(bookmark) }),
  errors: [],
});

/** The client generates the id, so that a bookmark created offline is created once. */
export const saveBookmark = endpoint({
  method: 'PUT',
  path: '/bookmarks/:id',
  summary: 'Makes or changes a bookmark; saying so again changes nothing',
  access: 'user',
  rateLimit: 'write',
  params: z.object({ id }),
  body: bookmarkChange,
  response: bookmark,
  errors: ['not_found', 'limit_reached'],
});

export const deleteBookmark = endpoint({
  method: 'DELETE',
  path: '/bookmarks/:id',
  summary: 'Deletes a bookmark',
  access: 'user',
  rateLimit: 'write',
  params: z.object({ id }),
  response: z.object({ _id: id }),
  errors: ['not_found'],
});
