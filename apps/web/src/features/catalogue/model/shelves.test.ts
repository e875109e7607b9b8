import { describe, expect, it } from 'vitest';
import { buildEntry, buildTrack, toId } from '#features/player/testing/fixtures.ts';
import { buildSystemPlaylist } from '#testing/playlists.ts';
import { continueSource, greetingOf, heardShare, type Row, resumption, rowTitle } from './shelves.ts';

describe('rows', () => {
  it.each([
    [{ en: 'Latest articles', es: 'Lo último' }, 'es', 'Lo último'],
    [{ en: 'Latest articles', es: 'Lo último' }, 'en', 'Latest articles'],
    [null, 'es', 'My list'],
  ] as const)('[CAT-02] titled %j read in %s as %s', (titles, language, title) => {
    expect(rowTitle(buildSystemPlaylist(900, 'My list', titles), language)).toBe(title);
  });
});

describe('resuming', () => {
  const entries = [buildEntry(1), buildEntry(2)];
  const rows: Row[] = [
    { playlist: buildSystemPlaylist(900, 'Latest articles'), tracks: [buildTrack(2), buildTrack(3)] },
  ];

  it('plays on with the others of the list', () => {
    const { source, tracks, index } = resumption(entries, 1, rows, true);
    expect(source).toEqual(continueSource);
    expect(tracks.map(({ _id, progress }) => [_id, progress])).toEqual([
      [toId(1), 40],
      [toId(2), 40],
    ]);
    expect(index).toBe(1);
  });

  it('[PLAY-04] without a subscription goes on with the first of Latest as that', () => {
    expect(resumption(entries, 1, rows, false)).toEqual({
      source: { name: 'Latest articles', playlist: toId(900) },
      tracks: rows[0]?.tracks,
      index: 0,
    });
    expect(resumption(entries, 0, rows, false).source).toEqual(continueSource);
  });
});

describe('small things', () => {
  it.each([
    [4, 'discover.goodEvening'],
    [5, 'discover.goodMorning'],
    [11, 'discover.goodMorning'],
    [12, 'discover.goodAfternoon'],
    [18, 'discover.goodAfternoon'],
    [19, 'discover.goodEvening'],
    [0, 'discover.goodEvening'],
  ])('at %d the greeting is %s', (hour, key) => {
    expect(greetingOf(hour)).toBe(key);
  });

  it.each([
    [50, 200, 0.25],
    [300, 200, 1],
    [5, 0, 0],
  ])('%d of %d seconds is a share of %d', (place, duration, share) => {
    expect(heardShare(place, duration)).toBe(share);
  });
});
