import { describe, expect, it } from 'vitest';
import { findNewestSet, selectExpiredSets, toSetName } from './backup-sets.ts';

const now = new Date('2026-11-23T03:06:40.500Z');
const ago = (days: number, isComplete = true) => ({
  name: toSetName(new Date(now.getTime() - days * 86_400_000)),
  isComplete,
});

it('a set is named by its time', () => {
  expect(toSetName(now)).toBe('2026-11-23T03-06-40Z');
});

it('the newest set is the newest complete one', () => {
  expect(findNewestSet([ago(2), ago(1), ago(0, false)], now)).toEqual(ago(1));
  expect(findNewestSet([ago(0, false)], now)).toBeUndefined();
});

describe('expired sets, where sets are kept for 30 days', () => {
  it.each([
    ['none that are younger', [ago(29.9), ago(0)], []],
    ['the older ones', [ago(40), ago(30.1), ago(1)], [ago(40), ago(30.1)]],
    ['never the newest complete one', [ago(50), ago(40)], [ago(50)]],
    ['incomplete ones after a day', [ago(0), ago(0.5, false), ago(2, false)], [ago(2, false)]],
    ['not the last complete one for an incomplete one', [ago(40), ago(0.5, false)], []],
  ])('are %s', (_, sets, expired) => {
    expect(selectExpiredSets(sets, now, 30)).toEqual(expired);
  });
});
