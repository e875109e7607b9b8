import type { Notification } from '@escucho/contracts';
import { describe, expect, it } from 'vitest';
import { addNotification, getReconnectDelay } from './notifications.ts';

const notification = (number: number): Notification => ({
  _id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  title: `News ${number}`,
  body: '',
  createdAt: '2026-11-20T10:00:00.000Z',
});
const page = (...numbers: number[]) => ({ docs: numbers.map(notification), totalDocs: numbers.length });

describe('[CAT-07] addNotification', () => {
  it('puts a notification first', () =>
    expect(addNotification(page(2, 1), notification(3))).toEqual(page(3, 2, 1)));

  it('adds a notification once', () => {
    const before = page(2, 1);
    expect(addNotification(before, notification(2))).toBe(before);
  });

  it('limits the page to the newest ten', () => {
    const { docs, totalDocs } = addNotification(page(10, 9, 8, 7, 6, 5, 4, 3, 2, 1), notification(11));
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
])('[CAT-07] after %i failures with jitter %d the delay is %i ms', (failures, random, delay) => {
  expect(getReconnectDelay(failures, random)).toBe(delay);
});
