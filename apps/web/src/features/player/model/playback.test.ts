import { describe, expect, it } from 'vitest';
import {
  buildPlaying,
  buildPlayingAt,
  buildTick,
  buildTrack,
  listSource,
  next,
  playFrom,
  runEvents,
} from '../testing/fixtures.ts';
import { emptyPlayer, type PlayerEvent } from './state.ts';
import { parsePlayer, toPersistedPlayer } from './stored.ts';

const [one, two] = [buildTrack(1), buildTrack(2)];

describe('play and pause', () => {
  it('[PLAY-05] pausing saves the position', () => {
    const { state, effects } = runEvents(buildPlayingAt(42), [{ type: 'pause' }]);
    expect(state).toMatchObject({ phase: 'paused', isPlaying: false });
    expect(effects).toEqual([
      { type: 'pause' },
      { type: 'saveProgress', track: one, position: 42, cause: 'pause', secondsPlayed: 42 },
    ]);
  });

  it.each([
    [buildTrack(1, { progress: 61 }), 61],
    [buildTrack(1, { progress: 100 }), 0],
    [buildTrack(1, { progress: 99.5 }), 0],
  ])('[PLAY-05] starts at the saved position, or at 0 when that is the end', (track, position) => {
    const { effects } = runEvents(emptyPlayer, [playFrom(listSource, [track])]);
    expect(effects).toMatchObject([{ type: 'load', position, refreshUrl: false }]);
  });

  it('[PLAY-05] play reloads audio that stalled before the pause, at its position', () => {
    const stalled = runEvents(buildPlayingAt(42), [{ type: 'stalled' }, { type: 'pause' }]).state;
    expect(runEvents(stalled, [{ type: 'play' }])).toMatchObject({
      state: { phase: 'loading', isStalled: false },
      effects: [{ type: 'load', track: one, position: 42, refreshUrl: false }],
    });
    const stalledOnResume = runEvents(buildPlayingAt(42), [
      { type: 'pause' },
      { type: 'play' },
      { type: 'stalled' },
    ]).state;
    expect(runEvents(stalledOnResume, [{ type: 'pause' }, { type: 'play' }]).done).toEqual(['load']);
    const resumed = runEvents(buildPlayingAt(42), [
      { type: 'stalled' },
      { type: 'started' },
      { type: 'pause' },
    ]).state;
    expect(runEvents(resumed, [{ type: 'play' }]).done).toEqual(['play']);
  });

  it('requests a URL for a track without one', () => {
    const { effects } = runEvents(emptyPlayer, [
      { type: 'playFrom', source: listSource, tracks: [buildTrack(1, { url: null })], index: 0 },
    ]);
    expect(effects).toMatchObject([{ type: 'load', refreshUrl: true }]);
  });

  it('stays paused when paused while loading', () => {
    const { state } = runEvents(buildPlaying(), [next, { type: 'pause' }, { type: 'ready' }]);
    expect(state).toMatchObject({ phase: 'paused', isPlaying: false });
  });

  it('a pause by the element counts as a pause', () => {
    const { state, effects } = runEvents(buildPlayingAt(9), [{ type: 'elementPaused' }]);
    expect(state).toMatchObject({ phase: 'paused', isPlaying: false });
    // Not another pause, after which iOS would not resume.
    expect(effects).toMatchObject([{ type: 'saveProgress', cause: 'pause', position: 9 }]);
  });

  it('stalled audio is buffering until it plays again', () => {
    const stalled = runEvents(buildPlaying(), [{ type: 'stalled' }]).state;
    expect(stalled).toMatchObject({ phase: 'buffering', isPlaying: true });
    expect(runEvents(stalled, [{ type: 'started' }]).state.phase).toBe('playing');
  });

  it('[PLAY-06] at the end the next track plays and the finished one is reset to 0', () => {
    const { state, effects } = runEvents(buildPlayingAt(99), [{ type: 'ended' }]);
    expect(state).toMatchObject({ activeTrack: { _id: two._id }, isPlaying: true });
    expect(effects[0]).toMatchObject({ type: 'saveProgress', position: 100, cause: 'ended' });
    expect(state.queue[0]?.progress).toBe(0);
  });

  it('[PLAY-06] a paused track that is sought to its end stays paused there', () => {
    const { state, done } = runEvents(buildPlayingAt(42), [
      { type: 'pause' },
      { type: 'seek', position: 100 },
      { type: 'ended' },
    ]);
    expect(state).toMatchObject({ activeTrack: { _id: one._id }, phase: 'paused', progress: 100 });
    expect(done).toEqual([]);
  });

  it('[PLAY-06] stops after the last track; play restarts it, after a reload too', () => {
    const finished = runEvents(buildPlaying([one]), [{ type: 'ended' }]).state;
    expect(finished).toMatchObject({ phase: 'paused', isPlaying: false, progress: 100 });
    expect(runEvents(finished, [{ type: 'play' }])).toMatchObject({
      state: { progress: 0, isPlaying: true },
      effects: [{ type: 'seek', position: 0 }, { type: 'play' }],
    });
    const reloaded = { ...emptyPlayer, ...parsePlayer(toPersistedPlayer(finished)) };
    expect(runEvents(reloaded, [{ type: 'play' }])).toMatchObject({
      state: { progress: 0, isPlaying: true },
      effects: [{ type: 'load', position: 0 }],
    });
  });
});

describe('time, speed, volume', () => {
  it.each([
    [0.5, 8],
    [0.75, 5],
    [1, 4],
    [1.5, 2],
    [1.9, 2],
    [2, 2],
  ])('[PLAY-05] [PLAY-06] at speed %d every %d ticks are saved, before 5 s are unsaved', (speed, every) => {
    const ticks = Array.from({ length: every * 2 }, (_, index) => buildTick((index + 1) * speed));
    const saved = ticks.flatMap((_, index) => {
      const { effects } = runEvents({ ...buildPlaying(), speed }, ticks.slice(0, index + 1));
      return effects.some(({ type }) => type === 'saveProgress') ? [index + 1] : [];
    });
    expect(saved).toEqual([every, every * 2]);
  });

  it.each([
    [30, 30],
    [-5, 0],
    [500, 100],
    [Number.NaN, 0],
  ])('[PLAY-06] seeking to %d sets the current time to %d', (position, expected) => {
    const { state, effects } = runEvents(buildPlaying(), [{ type: 'seek', position }]);
    expect(state.progress).toBe(expected);
    expect(effects).toMatchObject([
      { type: 'saveProgress', cause: 'seek', position: expected },
      { type: 'seek', position: expected },
    ]);
  });

  it('[PLAY-05] a late tick saves the position sooner', () => {
    expect(runEvents({ ...buildPlaying(), speed: 2 }, [buildTick(3, 1.5)]).done).toContain('saveProgress');
  });

  it.each([
    [40, 15, 55],
    [40, -15, 25],
    [5, -15, 0],
    [95, 15, 100],
  ])('[PLAY-07] from %d a skip by %d goes to %d', (from, seconds, to) => {
    expect(runEvents(buildPlayingAt(from), [{ type: 'skipBy', seconds }]).state.progress).toBe(to);
  });

  it('[PLAY-06] cycleSpeed sets 1.5, 2, then 1', () => {
    const speeds = [1, 2, 3].map(
      (times) => runEvents(emptyPlayer, Array<PlayerEvent>(times).fill({ type: 'cycleSpeed' })).state.speed,
    );
    expect(speeds).toEqual([1.5, 2, 1]);
  });

  it('[PLAY-06] volume stays between 0.01 and 1', () => {
    const set = (volume: number) => runEvents(emptyPlayer, [{ type: 'setVolume', volume }]).state.volume;
    expect([0, 0.5, 7].map(set)).toEqual([0.01, 0.5, 1]);
  });

  it('muting keeps the volume', () => {
    const muted = runEvents(emptyPlayer, [{ type: 'setVolume', volume: 0.3 }, { type: 'toggleMute' }]);
    expect(muted).toMatchObject({ state: { volume: 0.3, muted: true }, effects: [{ volume: 0 }] });
    expect(runEvents(muted.state, [{ type: 'toggleMute' }]).effects).toEqual([
      { type: 'setVolume', volume: 0.3 },
    ]);
  });
});

describe('failures', () => {
  const fail: PlayerEvent = { type: 'failed', error: 'network' };

  it('the first failure loads a fresh URL at the same position', () => {
    const { state, effects } = runEvents(buildPlayingAt(33), [fail]);
    expect(state).toMatchObject({ phase: 'loading', isPlaying: true });
    expect(effects).toMatchObject([{ type: 'load', refreshUrl: true, position: 33 }]);
  });

  it('[PLAY-06] the second failure is shown and logged; play retries at the position', () => {
    const { state, effects } = runEvents(buildPlayingAt(33), [fail, fail]);
    expect(state).toMatchObject({ phase: 'error', isPlaying: false, error: 'network', progress: 33 });
    expect(effects).toMatchObject([{ type: 'pause' }, { type: 'notifyError', error: 'network' }]);
    expect(runEvents(state, [{ type: 'play' }])).toMatchObject({
      state: { phase: 'loading', isPlaying: true, error: null },
      effects: [{ type: 'load', refreshUrl: true, position: 33 }],
    });
  });

  it('playing for a while allows another fresh URL', () => {
    const ticks = [1, 2, 3, 4, 5].map((position) => buildTick(position));
    const { state } = runEvents(buildPlayingAt(33), [
      fail,
      { type: 'ready' },
      { type: 'started' },
      ...ticks,
      fail,
    ]);
    expect(state.phase).toBe('loading');
  });

  it('stays paused on a failure while paused', () => {
    const { state } = runEvents(buildPlayingAt(33), [{ type: 'pause' }, fail, { type: 'ready' }]);
    expect(state).toMatchObject({ phase: 'paused', isPlaying: false, progress: 33 });
  });

  it('pauses when the browser blocks autoplay', () => {
    const { state, done } = runEvents(buildPlaying(), [{ type: 'failed', error: 'blocked' }]);
    expect(state).toMatchObject({ phase: 'paused', isPlaying: false });
    expect(done).toEqual([]);
  });
});
