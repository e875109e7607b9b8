import type { Notification } from '@escucho/contracts';
import { describe, expect, it } from 'vitest';
import { waitBefore, withNews } from './news.ts';

const news = (number: number): Notification => ({
  _id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  title: `News ${number}`,
  body: '',
  createdAt: '2026-11-20T10:00:00.000Z',
});
const page = (...numbers: number[]) => ({ docs: numbers.map(news), totalDocs: numbers.length });

describe('[CAT-07] news that come', () => {
  it('stand first', () => expect(withNews(page(2, 1), news(3))).toEqual(page(3, 2, 1)));

  it('are there once, however often they are told', () => {
    const before = page(2, 1);
    expect(withNews(before, news(2))).toBe(before);
  });

  it('leave the newest ten', () => {
    const { docs, totalDocs } = withNews(page(10, 9, 8, 7, 6, 5, 4, 3, 2, 1), news(11));
    expect([docs.length, docs[0]?.title, docs.at(-1)?.title, totalDocs]).toEqual([
      10,
      'News 11',
      'News 2',
      11,
    ]);
  });
});

it.each([
  [0, 0, 500],
  [0, 1, 1000],
  [3, 0.5, 6000],
  [20, 1, 60_000],
])('[CAT-07] after %i failures, dice at %d: a pause of %i ms', (failures, dice, wait) => {
  expect(waitBefore(failures, dice)).toBe(wait);
});
