import { expect, it } from 'vitest';
import { getNextPage, repaginate } from './pagination.ts';

const page = (letters: string, totalDocs: number) => ({ docs: [...letters], totalDocs });

it.each([
  ['none yet', [], undefined],
  ['one of three', [page('ab', 5)], 2],
  ['all', [page('ab', 3), page('c', 3)], undefined],
  ['an empty one, whatever the total says', [page('ab', 3), page('', 3)], undefined],
])('[CAT-09] the page after %s', (_, pages, next) => {
  expect(getNextPage(pages)).toBe(next);
});

it('[CAT-09] pages keep their lengths when an item goes, the last takes the change', () => {
  expect(repaginate([page('ab', 5), page('cd', 5)], [...'acd'])).toEqual([page('ac', 4), page('d', 4)]);
});
