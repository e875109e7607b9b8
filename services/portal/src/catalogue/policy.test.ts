import { expect, it } from 'vitest';
import { selectRowTracks } from './policy.ts';

const tracks = [
  { id: 'first', language: 'en', level: 'C1' },
  { id: 'same', language: 'es', level: 'A1' },
  { id: 'next', language: 'es', level: 'A2' },
  { id: 'far', language: 'es', level: 'B1' },
] as const;

it.each([
  ['a subscriber who chose nothing', 'Latest', null, null, true, ['first', 'same', 'next', 'far']],
  ['anyone who chose nothing', 'Travel', null, null, false, ['first', 'same', 'next', 'far']],
  ['a subscriber', 'Latest', 'es', 'A1', true, ['same', 'next']],
  ['anyone, with the free first', 'Latest', 'es', 'A1', false, ['first', 'same', 'next']],
  ['anyone, of a list without a free first', 'Travel', 'es', 'A1', false, ['same', 'next']],
  ['a learner of a language', 'Travel', 'es', null, true, ['same', 'next', 'far']],
  ['a learner at a level', 'Travel', null, 'B2', true, ['first', 'far']],
] as const)('[CAT-02] a row of Discover for %s', (_, name, language, level, isSubscribed, expected) => {
  const row = { name, origin: 'system', first: 'first', tracks } as const;
  const shown = selectRowTracks(row, { language, level }, isSubscribed);
  expect(shown.map(({ id }) => id)).toEqual(expected);
});
