import { describe, expect, it } from 'vitest';
import { buildEntry, buildTrack, toId } from '#features/player/testing/fixtures.ts';
import { buildSystemPlaylist } from '#testing/builders.ts';
import {
  continueSource,
  getGreetingKey,
  getProgressRatio,
  getResumption,
  getRowTitle,
  type Row,
} from './discover.ts';

describe('getRowTitle', () => {
  it.each([
    [{ en: 'Latest articles', es: 'Lo último' }, 'es', 'Lo último'],
    [{ en: 'Latest articles', es: 'Lo último' }, 'en', 'Latest articles'],
    [null, 'es', 'My list'],
  ] as const)('[CAT-02] %j in %s is %s', (titles, language, title) => {
    expect(getRowTitle(buildSystemPlaylist(900, 'My list', titles), language)).toBe(title);
  });
});

describe('getResumption', () => {
  const entries = [buildEntry(1), buildEntry(2)];
  const rows: Row[] = [
    { playlist: buildSystemPlaylist(900, 'Latest articles'), tracks: [buildTrack(2), buildTrack(3)] },
  ];

  it('resumes an entry with the other entries', () => {
    const { source, tracks, index } = getResumption(entries, 1, rows, true);
    expect(source).toEqual(continueSource);
    expect(tracks.map(({ _id, progress }) => [_id, progress])).toEqual([
      [toId(1), 40],
      [toId(2), 40],
    ]);
    expect(index).toBe(1);
  });

  it('[PLAY-04] resumes the first of Latest within that row without a subscription', () => {
    expect(getResumption(entries, 1, rows, false)).toEqual({
      source: { name: 'Latest articles', playlist: toId(900) },
      tracks: rows[0]?.tracks,
      index: 0,
    });
    expect(getResumption(entries, 0, rows, false).source).toEqual(continueSource);
  });
});

describe('greeting and progress', () => {
  it.each([
    [4, 'discover.goodEvening'],
    [5, 'discover.goodMorning'],
    [11, 'discover.goodMorning'],
    [12, 'discover.goodAfternoon'],
    [18, 'discover.goodAfternoon'],
    [19, 'discover.goodEvening'],
    [0, 'discover.goodEvening'],
  ])('the greeting at %d is %s', (hour, key) => {
    expect(getGreetingKey(hour)).toBe(key);
  });

  it.each([
    [50, 200, 0.25],
    [300, 200, 1],
    [5, 0, 0],
  ])('%d of %d seconds is a ratio of %d', (position, duration, ratio) => {
    expect(getProgressRatio(position, duration)).toBe(ratio);
  });
});
