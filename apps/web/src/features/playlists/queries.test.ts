import { expect, it } from 'vitest';
import { toPlaylistFilter } from './queries.ts';

it.each([
  ['', undefined],
  ['abc', undefined],
  ['  abc  ', undefined],
  ['abcd', 'abcd'],
  [' walk 1 ', 'walk 1'],
  ['a.*b', 'a.*b'],
  ['walk\t1', 'walk 1'],
])('[LIST-04] %j filters by name only beyond 3 characters, without favourites', (text, name) => {
  expect(toPlaylistFilter(text)).toEqual({
    origin: 'user',
    name: name === undefined ? { $ne: 'default' } : { $ne: 'default', $regex: name },
  });
});
