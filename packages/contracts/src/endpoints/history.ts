import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { historyEntry, listeningStatistics } from '../entities/history.ts';
import { id, listResponse, messageKey, pagination, singleLineText } from '../fields.ts';
import { limits } from '../limits.ts';

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

const timeZone = singleLineText(limits.timeZone.max).check(z.refine(isTimeZone, messageKey('field_invalid')));

export const findHistory = endpoint({
  method: 'GET',
  path: '/listening/history',
  summary: 'What the reader heard, last heard first, a page at a time',
  access: 'user',
  query: z.object(pagination),
  response: listResponse(historyEntry),
  errors: [],
});

/** Places and figures stay; what is heard again stands in the history again. */
export const clearHistory = endpoint({
  method: 'DELETE',
  path: '/listening/history',
  summary: 'Takes everything out of the history',
  access: 'user',
  response: z.object({ removed: z.number() }),
  errors: [],
});

export const removeFromHistory = endpoint({
  method: 'DELETE',
  path: '/listening/history/:id',
  summary: 'Takes a track out of the history',
  access: 'user',
  params: z.object({ id }),
  response: z.object({ _id: id }),
  errors: ['not_found'],
});

/** The way back from taking one out: it stands where it stood. */
export const restoreToHistory = endpoint({
  method: 'PUT',
  path: '/listening/history/:id',
  summary: 'Puts a track that was heard back into the history',
  access: 'user',
  params: z.object({ id }),
  response: z.object({ _id: id }),
  errors: ['not_found'],
});

export const findStatistics = endpoint({
  method: 'GET',
  path: '/listening/statistics',
  summary: 'How much the reader listened, by the days of a time zone (IANA name; UTC unless said)',
  access: 'user',
  query: z.object({ timeZone: z._default(timeZone, 'UTC') }),
  response: listeningStatistics,
  errors: [],
});
