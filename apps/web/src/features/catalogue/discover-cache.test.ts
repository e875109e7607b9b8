import { expect, it } from 'vitest';
import { writeStorage } from '#shared/storage.ts';
import { cacheDiscover, clearDiscoverCache, readCachedDiscover } from './discover-cache.ts';

const discover = { continueListening: [], rows: [] };
const HOUR_MS = 60 * 60 * 1000;

it.each([
  ['returned to the same user', 'ana', 2 * HOUR_MS, discover],
  ['not returned once its pictures may have expired', 'ana', 25 * HOUR_MS, undefined],
  ['not returned to another user', 'luis', 1, undefined],
])('[CAT-02] cached Discover is %s', (_, userId, age, expected) => {
  cacheDiscover('ana', discover, 1000);
  expect(readCachedDiscover(userId, 1000 + age)).toEqual(expected);
});

it('clearDiscoverCache removes it', () => {
  cacheDiscover('ana', discover, 0);
  clearDiscoverCache();
  expect(readCachedDiscover('ana', 1)).toBeUndefined();
});

it.each(['{', '{"userId":"ana","at":0,"answer":{"rows":"many"}}'])(
  'ignores what an older version stored: %s',
  (text) => {
    writeStorage('discover-storage', text);
    expect(readCachedDiscover('ana', 1)).toBeUndefined();
  },
);
