import { describe, expect, it } from 'vitest';
import { buildEntry, buildTrack, toId } from '../testing/fixtures.ts';
import { emptyPlayer } from './state.ts';
import { parseContinueListening, parsePlayer, toPersistedPlayer } from './stored.ts';

const [one, two] = [buildTrack(1), buildTrack(2)];
const playing = {
  ...emptyPlayer,
  phase: 'playing',
  isPlaying: true,
  queue: [one, two],
  activeTrack: two,
  progress: 40,
  volume: 0.5,
  speed: 1.5,
} as const;

describe('player-storage', () => {
  it('[PLAY-01] stores queue, track, volume, speeds, isPlaying and progress', () => {
    expect(Object.keys(toPersistedPlayer(playing) ?? {}).sort()).toEqual([
      'activeTrack',
      'isPlaying',
      'progress',
      'queue',
      'speed',
      'speeds',
      'usualSpeed',
      'volume',
    ]);
  });

  it('[PLAY-01] rehydrates paused and without URLs, with everything else', () => {
    expect(parsePlayer(JSON.parse(JSON.stringify(toPersistedPlayer(playing))))).toMatchObject({
      phase: 'idle',
      isPlaying: false,
      queue: [
        { ...one, url: null },
        { ...two, url: null },
      ],
      activeTrack: { _id: two._id, url: null },
      progress: 40,
      volume: 0.5,
      speed: 1.5,
    });
  });

  it.each([
    undefined,
    null,
    'x',
    7,
    [],
    {},
    { queue: 'no', activeTrack: 3, volume: 'loud', speed: 9, progress: null },
  ])('parses %j as an empty player', (stored) => {
    expect(parsePlayer(stored)).toEqual(emptyPlayer);
  });

  it('drops invalid tracks of the queue', () => {
    const stored = {
      queue: [{ _id: 'older shape' }, one, null],
      activeTrack: { _id: 'gone' },
      progress: 50,
      volume: 44,
    };
    expect(parsePlayer(stored)).toMatchObject({
      queue: [{ _id: one._id }],
      activeTrack: { _id: one._id },
      progress: 0,
      volume: 1,
    });
  });

  it('drops invalid speeds', () => {
    const speeds = { [toId(1)]: 0.7, [toId(2)]: 'fast', [toId(3)]: 9 };
    expect(parsePlayer({ speed: 0.85, usualSpeed: 3, speeds })).toMatchObject({
      speed: 0.85,
      usualSpeed: 0.85,
      speeds: { [toId(1)]: 0.7 },
    });
  });

  it('limits progress to the track', () => {
    expect(parsePlayer({ queue: [one], activeTrack: one, progress: 5000 }).progress).toBe(100);
  });
});

describe('continue-listening-storage', () => {
  it.each([
    [undefined, { entries: [], positions: {} }],
    [
      { entries: [buildEntry(1), { title: 'older shape' }], places: { [toId(1)]: 5, x: 'y' } },
      { entries: [buildEntry(1)], positions: { [toId(1)]: 5 } },
    ],
  ])('parses %j', (stored, expected) => {
    expect(parseContinueListening(stored)).toEqual(expected);
  });
});
