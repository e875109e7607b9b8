import { describe, expect, it } from 'vitest';
import { getAudioExpiry, getPictureExpiry } from './links.ts';
import { findFreeTracks, mayPlay, selectRowTracks, selectSample, toLearnerStart } from './policy.ts';

const latest = { name: 'Latest articles', origin: 'system' } as const;
const travel = { name: 'Travel', origin: 'system' } as const;
const own = { name: 'Latest of mine', origin: 'user' } as const;
const automatic = { name: 'Latest heard', origin: 'auto' } as const;
const lowerCase = { name: 'the latest', origin: 'system' } as const;

describe('mayPlay', () => {
  it.each([
    ['a subscriber', true, travel, 7, true],
    ['a subscriber from an own list', true, own, 3, true],
    ["anyone, the first of a system list named 'Latest…'", false, latest, 0, true],
    ['anyone, its second', false, latest, 1, false],
    ['anyone, the first of another system list', false, travel, 0, false],
    ["anyone, the first of an own list named 'Latest…'", false, own, 0, false],
    ["anyone, the first of an automatic list named 'Latest…'", false, automatic, 0, false],
    ['anyone, the first of a system list with another spelling', false, lowerCase, 0, false],
  ])('[PLAY-04] %s', (_name, isSubscribed, source, index, expected) => {
    expect(mayPlay(isSubscribed, source, index)).toBe(expected);
  });
});

describe('findFreeTracks', () => {
  const starts = [
    { ...latest, playlist: 'a', first: 'ferry' },
    { ...travel, playlist: 'b', first: 'door' },
    { ...own, playlist: 'c', first: 'cat' },
    { ...latest, playlist: 'd', first: null },
    { ...latest, playlist: 'e', first: 'walk' },
  ];

  it.each([
    ['any list', undefined, ['ferry', 'walk']],
    ["a 'Latest' list", 'e', ['walk']],
    ['another system list', 'b', []],
    ["an own 'Latest' list", 'c', []],
    ['an empty list', 'd', []],
    ['an unknown list', 'z', []],
  ])('[PLAY-04] played from %s', (_name, playlist, expected) => {
    expect([...findFreeTracks(starts, playlist)]).toEqual(expected);
  });
});

describe('toLearnerStart', () => {
  it.each([
    ['the newest', 'es', 'A1', ['cat', 'dog'], [], 'cat'],
    ['the newest that is not free for everybody', 'es', 'A1', ['cat', 'dog'], ['cat'], 'dog'],
    ['nothing where all are free already', 'es', 'A1', ['cat'], ['cat'], undefined],
    ['nothing where there is none', 'es', 'A1', [], [], undefined],
    ['nothing without a level', 'es', null, ['cat'], [], undefined],
    ['nothing without a language', null, 'A1', ['cat'], [], undefined],
  ] as const)('[PLAY-04] makes free: %s', (_, language, level, newest, free, first) => {
    const start = toLearnerStart({ language, level }, newest, new Set(free));
    expect(start?.first).toBe(first);
    // The specified rule decides: the first of a system list whose name contains 'Latest'.
    expect([...findFreeTracks(start ? [start] : [])]).toEqual(first ? [first] : []);
  });

  it('[PLAY-04] is not free when played from a playlist', () => {
    const start = toLearnerStart({ language: 'es', level: 'A1' }, ['cat'], new Set());
    expect([...findFreeTracks(start ? [start] : [], 'a playlist')]).toEqual([]);
  });
});

describe('selectSample', () => {
  const article = (id: string, level: 'A1' | 'A2' | 'B1', duration = 90) =>
    ({ id, level, duration, language: 'es' }) as const;

  it.each([
    [
      'the newest of the easiest level',
      [article('dog', 'A2'), article('cat', 'A1'), article('hen', 'A1')],
      [],
      'cat',
    ],
    ['the newest that is free for everybody', [article('cat', 'A1'), article('hen', 'A1')], ['cat'], 'cat'],
    ['the first of a learner’s list', [article('cat', 'A1', 900), article('hen', 'A1')], ['cat'], 'hen'],
    ['nothing that needs a subscription', [article('cat', 'A1', 900), article('hen', 'A1')], [], undefined],
    [
      'a harder one where the easiest are long',
      [article('cat', 'A1', 301), article('dog', 'B1', 300)],
      [],
      'dog',
    ],
    ['nothing where there is nothing', [], [], undefined],
  ] as const)('[PLAY-04] visitors listen to %s', (_, newest, free, expected) => {
    expect(selectSample(newest, new Set(free))?.id).toBe(expected);
  });
});

describe('the expiry of links', () => {
  const noon = Date.UTC(2026, 10, 20, 12) / 1000;

  it.each([
    ['half an hour for a short track', noon, 100, 1800],
    ['three times a long track', noon, 4000, 12_000],
    ['up to the next full five minutes', noon + 1, 100, 1800 + 299],
    ['up to the next full five minutes, from a fraction', noon + 0.5, 100, 1800 + 299.5],
  ])('[PLAY-04] audio: %s', (_name, now, duration, expected) => {
    expect(getAudioExpiry(now, duration) - now).toBe(expected);
  });

  it('[PLAY-04] audio: a fixed lifetime', () => {
    expect(getAudioExpiry(noon, 4000, 8)).toBe(noon + 8);
    expect(getAudioExpiry(noon + 0.5, 4000, 8)).toBe(noon + 9);
  });

  it('pictures: the same time during a week, at least a day from now', () => {
    const days = 24 * 3600;
    const start = Math.floor(noon / (7 * days)) * 7 * days;
    const ends = Array.from({ length: 7 * 24 }, (_, hour) => getPictureExpiry(start + hour * 3600));
    expect(new Set(ends).size).toBe(2);
    ends.forEach((end, hour) => {
      const left = end - (start + hour * 3600);
      expect(left).toBeGreaterThanOrEqual(days);
      expect(left).toBeLessThanOrEqual(8 * days);
    });
  });
});

describe('selectRowTracks', () => {
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
});
