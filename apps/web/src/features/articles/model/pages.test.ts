import { describe, expect, it } from 'vitest';
import { getPageAt, parsePage, toPageTurn } from './pages.ts';

const pages = [{ start: 0.5 }, { start: 10 }, { start: 20 }];

describe('[CAT-06] getPageAt', () => {
  it.each([
    [0, 0],
    [0.5, 0],
    [9.99, 0],
    [10, 1],
    [19, 1],
    [500, 2],
  ])('returns at %f s page %i', (position, page) => {
    expect(getPageAt(pages, position)).toBe(page);
  });

  it('returns the first page for a book without pages', () => {
    expect(getPageAt([], 5)).toBe(0);
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
])('[CAT-06] parsePage(%j) returns %i', (number, page) => {
  expect(parsePage(number, 3)).toBe(page);
});

it.each([
  ['to the left', { x: -80, y: 5 }, 1],
  ['to the right', { x: 80, y: -5 }, -1],
  ['by a few pixels', { x: -20, y: 0 }, 0],
  ['mostly downwards', { x: -60, y: 90 }, 0],
])('[CAT-06] a swipe %s turns the page accordingly', (_, distance, turn) => {
  expect(toPageTurn(distance)).toBe(turn);
});
