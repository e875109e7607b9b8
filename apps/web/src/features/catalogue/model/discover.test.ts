import type { Track } from '@escucho/contracts';
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
  selectSuggestion,
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

describe('selectSuggestion', () => {
  const learning = { language: 'en', level: 'B1' } as const;
  const spanish = (number: number) => buildTrack(number, { language: 'es' });
  const easy = (number: number) => buildTrack(number, { level: 'A1' });
  const locked = (number: number) => buildTrack(number, { url: null });

  it.each<[string, Track[], Track, number[], typeof learning | undefined, number | undefined]>([
    ['the first other one', [buildTrack(1), buildTrack(2), buildTrack(3)], buildTrack(1), [], learning, 2],
    ['one that suits the learner', [spanish(2), easy(3), buildTrack(4)], buildTrack(1), [], learning, 4],
    ['one like a track that does not suit', [buildTrack(2), spanish(3)], spanish(1), [], learning, 3],
    ['one in its language without a choice', [spanish(2), buildTrack(3)], buildTrack(1), [], undefined, 3],
    ['one that may be played', [locked(2), buildTrack(3)], buildTrack(1), [], learning, 3],
    ['one that is new', [buildTrack(2), buildTrack(3)], buildTrack(1), [2], learning, 3],
    [
      'what needs a subscription rather than a repetition',
      [buildTrack(2), locked(3)],
      buildTrack(1),
      [2],
      learning,
      3,
    ],
    ['a repetition where nothing is new', [buildTrack(2)], buildTrack(1), [2], learning, 2],
    ['nothing where nothing suits', [spanish(2)], buildTrack(1), [], learning, undefined],
  ])('offers %s', (_, tracks, after, played, learner, expected) => {
    const lists = [{ source: { name: 'More', playlist: null }, tracks }];
    const suggestion = selectSuggestion(after, lists, {
      learning: learner,
      played: new Set(played.map(toId)),
    });
    expect(suggestion?.track._id).toBe(expected && toId(expected));
    expect(suggestion && tracks[suggestion.index]).toBe(suggestion?.track);
  });
});
