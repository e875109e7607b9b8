import { describe, expect, it } from 'vitest';
import { pageAt, pageOf, paragraphsOn, type Sentence, turnOf } from './pages.ts';

const pages = [{ start: 0.5 }, { start: 10 }, { start: 20 }];

describe('[CAT-06] the page that is read', () => {
  it.each([
    [0, 0],
    [0.5, 0],
    [9.99, 0],
    [10, 1],
    [19, 1],
    [500, 2],
  ])('at %f s is page %i', (position, page) => {
    expect(pageAt(pages, position)).toBe(page);
  });

  it('of a book without pages is the first', () => {
    expect(pageAt([], 5)).toBe(0);
  });
});

it.each([
  [null, 0],
  ['1', 0],
  ['3', 2],
  ['9', 2],
  ['0', 0],
  ['-1', 0],
  ['two', 0],
  ['1e3', 0],
])('[CAT-06] an address that asks for page %s opens number %i', (asked, page) => {
  expect(pageOf(asked, 3)).toBe(page);
});

const sentence = (text: string, paragraph: number, page: number | null, start: number): Sentence => ({
  text,
  translation: null,
  start,
  end: start + 1,
  paragraph,
  chapter: null,
  page,
});

it('[CAT-06] a page has its own sentences, in paragraphs', () => {
  const [one, two, three, four] = [
    sentence('One.', 0, 0, 0),
    sentence('Two.', 1, 1, 1),
    sentence('Three.', 1, 1, 2),
    sentence('Four.', 2, 1, 3),
  ];
  expect(paragraphsOn([one, two, three, four], 1)).toEqual([[two, three], [four]]);
  expect(paragraphsOn([one, two], 7)).toEqual([]);
});

it.each([
  ['left', { x: -80, y: 5 }, 1],
  ['right', { x: 80, y: -5 }, -1],
  ['a little', { x: -20, y: 0 }, 0],
  ['down rather than left', { x: -60, y: 90 }, 0],
])('[CAT-06] a finger that goes %s turns so many pages', (_, went, turned) => {
  expect(turnOf(went)).toBe(turned);
});
