import { expect, it } from 'vitest';
import { getNextPage, repaginate } from './pagination.ts';

const page = (letters: string, totalDocs: number) => ({ docs: [...letters], totalDocs });

it.each([
  ['no pages loaded', [], undefined],
  ['one of three pages loaded', [page('ab', 5)], 2],
  ['all pages loaded', [page('ab', 3), page('c', 3)], undefined],
  ['an empty page ends the list, whatever the total', [page('ab', 3), page('', 3)], undefined],
])('[CAT-09] next page: %s', (_, pages, next) => {
  expect(getNextPage(pages)).toBe(next);
});

it('[CAT-09] pages keep their lengths when an item is removed, except the last', () => {
  expect(repaginate([page('ab', 5), page('cd', 5)], [...'acd'])).toEqual([page('ac', 4), page('d', 4)]);
});
