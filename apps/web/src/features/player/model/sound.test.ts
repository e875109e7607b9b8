import { describe, expect, it } from 'vitest';
import {
  buildPlaying,
  buildPlayingAt,
  buildTick,
  buildTrack,
  listSource,
  next,
  runEvents,
  toId,
} from '../testing/fixtures.ts';
import { getGain, getOutputVolume } from './sound.ts';
import { emptyPlayer, type PlayerEvent } from './state.ts';

const speed = (value: number): PlayerEvent => ({ type: 'setSpeed', speed: value });
const cycle: PlayerEvent = { type: 'cycleSpeed' };

describe('speed', () => {
  it.each([
    [0.5, 0.5],
    [0.73, 0.75],
    [0.1, 0.5],
    [3, 2],
    [Number.NaN, 1],
  ])('[PLAY-08] setSpeed %d sets %d', (requested, expected) => {
    expect(runEvents(buildPlaying(), [speed(requested)]).state.speed).toBe(expected);
  });

  it.each([
    [1.25, 1.5],
    [0.7, 1],
    [2, 1],
    [1.75, 2],
  ])('[PLAY-06] cycleSpeed from %d sets %d', (from, expected) => {
    expect(runEvents(buildPlaying(), [speed(from), cycle]).state.speed).toBe(expected);
  });

  it('tracks keep their chosen speed; the others get the last chosen one', () => {
    const slow = runEvents(buildPlaying(), [speed(0.7), next, speed(1.5), next]).state;
    expect(slow.speed).toBe(1.5);
    const back = runEvents(slow, [{ type: 'skipTo', index: 0 }]);
    expect(back.state.speed).toBe(0.7);
    expect(back.effects).toContainEqual({ type: 'setSpeed', speed: 0.7 });
    expect(runEvents(back.state, [{ type: 'skipTo', index: 2 }]).state.speed).toBe(1.5);
  });

  it('stores the speeds of 200 tracks', () => {
    const tracks = Array.from({ length: 201 }, (_, index) => buildTrack(index + 1));
    const all = tracks.flatMap((_, index): PlayerEvent[] => [
      { type: 'playFrom', source: listSource, tracks, index },
      speed(0.7),
    ]);
    const { speeds } = runEvents(emptyPlayer, all).state;
    expect(Object.keys(speeds)).toHaveLength(200);
    expect(speeds).not.toHaveProperty(toId(1));
  });
});

describe('loudness', () => {
  it.each([
    [undefined, 1],
    [null, 1],
    [-18, 1],
    [-24, 1],
    [-12, 0.501],
    [0, 0.25],
    [Number.NaN, 1],
  ])('[PLAY-06] a track of %s LUFS is played at gain %d', (loudness, gain) => {
    expect(getGain(loudness)).toBeCloseTo(gain, 3);
  });

  it('another track sets the element’s volume', () => {
    const tracks = [buildTrack(1), buildTrack(2, { loudness: -12 })];
    const { effects } = runEvents(buildPlaying(tracks), [{ type: 'setVolume', volume: 0.8 }, next]);
    expect(effects.at(-1)).toEqual({ type: 'setVolume', volume: 0.8 * getGain(-12) });
  });
});

describe('the sleep timer', () => {
  const sleep = (value: number | 'track' | null): PlayerEvent => ({ type: 'setSleep', sleep: value });

  it('[PLAY-07] pauses when it runs out, saves the position and restores the volume', () => {
    const almostOver = runEvents(buildPlayingAt(20), [sleep(2), buildTick(21)]).state;
    expect(almostOver).toMatchObject({ sleep: 1, isPlaying: true });
    const { state, effects } = runEvents(almostOver, [buildTick(22)]);
    expect(state).toMatchObject({ sleep: null, isPlaying: false, phase: 'paused', progress: 22 });
    expect(effects).toMatchObject([
      { type: 'pause' },
      { type: 'saveProgress', cause: 'pause', position: 22 },
      { type: 'setVolume', volume: 1 },
    ]);
  });

  it('[PLAY-07] does not run while paused', () => {
    const paused = runEvents(buildPlayingAt(20), [
      sleep(60),
      { type: 'pause' },
      buildTick(20),
      { type: 'pageHidden' },
    ]).state;
    expect(paused.sleep).toBe(60);
  });

  it.each([
    [60, 1],
    [10, 1],
    [5, 0.5],
    [1, 0.1],
  ])('[PLAY-07] with %d seconds left the volume is %d', (left, volume) => {
    expect(getOutputVolume(runEvents(buildPlaying(), [sleep(left)]).state)).toBe(volume);
  });

  it('[PLAY-07] at the end of the track the next one is active and paused', () => {
    const { state, done } = runEvents(buildPlayingAt(99), [sleep('track'), { type: 'ended' }]);
    expect(state).toMatchObject({
      activeTrack: { _id: toId(2) },
      isPlaying: false,
      phase: 'idle',
      sleep: null,
    });
    expect(done).toEqual(['saveProgress', 'unload']);
  });

  it('[PLAY-07] at the end of the last track it stops', () => {
    const { state } = runEvents(buildPlayingAt(99, buildPlaying([buildTrack(1)])), [
      sleep('track'),
      { type: 'ended' },
    ]);
    expect(state).toMatchObject({ activeTrack: { _id: toId(1) }, isPlaying: false, sleep: null });
  });
});
