import { describe, expect, it } from 'vitest';
import {
  buildPlaying,
  buildPlayingAt,
  buildTrack,
  latestSource,
  listSource,
  next,
  playFrom,
  runEvents,
  toId,
} from '../testing/fixtures.ts';
import { createGate } from './gate.ts';
import { transition } from './machine.ts';
import { emptyPlayer, type PlayerEvent, type PlayerState, type Source } from './state.ts';

const [one, two, three] = [buildTrack(1), buildTrack(2), buildTrack(3)];
const openGate = createGate(true);
const closedGate = createGate(false);

const ids = (state: PlayerState) => state.queue.map((track) => track._id);

describe('the queue', () => {
  it('[PLAY-02] the first add sets the active track and plays nothing', () => {
    const { state, done } = runEvents(emptyPlayer, [{ type: 'enqueue', track: one, at: 'end' }]);
    expect(state).toMatchObject({ activeTrack: { _id: one._id }, isPlaying: false, phase: 'idle' });
    expect(done).toEqual([]);
  });

  it('[PLAY-02] the same source appends missing tracks and keeps what plays', () => {
    const { state, done } = runEvents(buildPlaying([one, two]), [playFrom(listSource, [one, two, three])]);
    expect(ids(state)).toEqual([one._id, two._id, three._id]);
    expect(state).toMatchObject({ activeTrack: { _id: one._id }, phase: 'playing' });
    expect(done).toEqual([]);
  });

  it('[PLAY-02] a different source replaces the queue', () => {
    const { state } = runEvents(buildPlaying(), [playFrom(latestSource, [buildTrack(7), buildTrack(8)], 1)]);
    expect(ids(state)).toEqual([toId(7), toId(8)]);
    expect(state.activeTrack).toMatchObject({
      _id: toId(8),
      source: latestSource.name,
      playlist: latestSource.playlist,
    });
  });

  it('[PLAY-02] a different source with the playing track continues it', () => {
    const { state, done } = runEvents(buildPlayingAt(30), [playFrom(latestSource, [buildTrack(7), one], 1)]);
    expect(state).toMatchObject({
      phase: 'playing',
      progress: 30,
      activeTrack: { source: latestSource.name },
    });
    expect(done).toEqual([]);
  });

  it('[LIST-06] a restart replaces the queue, also of the same source', () => {
    const { state, effects } = runEvents(buildPlayingAt(30), [
      { type: 'playFrom', source: listSource, tracks: [three, one, two], index: 0, restart: true },
    ]);
    expect(ids(state)).toEqual([three._id, one._id, two._id]);
    expect(state).toMatchObject({ activeTrack: { _id: three._id }, phase: 'loading', isPlaying: true });
    expect(effects).toMatchObject([
      { type: 'saveProgress', track: { _id: one._id }, position: 30, cause: 'pause' },
      { type: 'load', track: { _id: three._id } },
    ]);
    expect(state.queue[1]?.progress).toBe(30);
  });

  it('[LIST-06] a restart of an empty list changes nothing', () => {
    const before = buildPlayingAt(30);
    const event = { type: 'playFrom', source: listSource, tracks: [], index: 0, restart: true } as const;
    expect(transition(before, event, openGate)).toEqual({ state: before, effects: [] });
  });

  it('[PLAY-04] a restart that is refused leaves the queue and what plays', () => {
    const before = buildPlayingAt(30);
    const event = { type: 'playFrom', source: listSource, tracks: [two], index: 0, restart: true } as const;
    expect(runEvents(before, [event], closedGate)).toMatchObject({ state: before, done: ['refused'] });
  });

  it('[PLAY-02] reset clears the queue and leaves volume and speed', () => {
    const loud = runEvents(buildPlayingAt(20), [
      { type: 'setVolume', volume: 0.4 },
      { type: 'cycleSpeed' },
    ]).state;
    const { state, done } = runEvents(loud, [{ type: 'reset' }]);
    const speeds = { [one._id]: 1.5 };
    expect(state).toEqual({ ...emptyPlayer, volume: 0.4, speed: 1.5, usualSpeed: 1.5, speeds });
    expect(done).toEqual(['unload']);
  });

  it.each([
    ['a later track', buildPlaying(), two._id, { activeTrack: { _id: one._id }, phase: 'playing' }],
    [
      'the playing track: the next one plays',
      buildPlaying(),
      one._id,
      { activeTrack: { _id: two._id }, phase: 'loading', isPlaying: true },
    ],
    [
      'the playing last track: the previous one becomes active, paused',
      buildPlaying([one, two], 1),
      two._id,
      { activeTrack: { _id: one._id }, phase: 'idle', isPlaying: false },
    ],
    ['the only track', buildPlaying([one]), one._id, { activeTrack: null, queue: [], phase: 'idle' }],
  ])('removes %s', (_, from, id, expected) => {
    expect(runEvents(from, [{ type: 'remove', id }]).state).toMatchObject(expected);
  });
});

describe('next, previous, skip', () => {
  it.each([
    ['next', next, 1, three._id],
    ['previous', { type: 'previous' }, 1, one._id],
    ['skip to the third', { type: 'skipTo', index: 2 }, 0, three._id],
  ] as const)('%s activates and loads the track', (_, event, index, id) => {
    const { state, effects } = runEvents(buildPlaying([one, two, three], index), [event]);
    expect(state).toMatchObject({ activeTrack: { _id: id }, phase: 'loading', isPlaying: true });
    expect(effects.at(-1)).toMatchObject({ type: 'load', track: { _id: id } });
  });

  it('[PLAY-03] next at the last track stops playing', () => {
    const { state, done } = runEvents(buildPlaying([one, two], 1), [next]);
    expect(state).toMatchObject({ activeTrack: { _id: two._id }, isPlaying: false, phase: 'paused' });
    expect(done).toEqual(['saveProgress', 'pause']);
  });

  it('[PLAY-03] previous at the first track changes nothing', () => {
    const before = buildPlayingAt(50);
    expect(transition(before, { type: 'previous' }, openGate)).toEqual({ state: before, effects: [] });
  });

  it.each([-1, 3, 1.5, Number.NaN])('[PLAY-03] skip to %d, out of range, changes nothing', (index) => {
    const before = buildPlaying();
    expect(transition(before, { type: 'skipTo', index }, openGate)).toEqual({ state: before, effects: [] });
  });

  it('[PLAY-05] next with removeFromContinue saves the track as skipped', () => {
    const { effects } = runEvents(buildPlayingAt(12), [{ type: 'next', removeFromContinue: true }]);
    expect(effects[0]).toMatchObject({
      type: 'saveProgress',
      track: { _id: one._id },
      position: 12,
      cause: 'skip',
    });
  });

  it('[PLAY-05] next without removeFromContinue saves the track as paused', () => {
    const { effects } = runEvents(buildPlayingAt(12), [next]);
    expect(effects[0]).toMatchObject({ type: 'saveProgress', position: 12, cause: 'pause' });
  });

  it('[PLAY-05] returning to a track resumes at its position', () => {
    const { effects } = runEvents(buildPlayingAt(12), [next, { type: 'previous' }]);
    expect(effects.at(-1)).toMatchObject({ type: 'load', track: { _id: one._id }, position: 12 });
  });
});

describe('the gate', () => {
  it('[PLAY-04] without a subscription the first of Latest plays alone', () => {
    const { state, done } = runEvents(emptyPlayer, [playFrom(latestSource, [one, two])], closedGate);
    expect(ids(state)).toEqual([one._id]);
    expect(done).toEqual(['load']);
  });

  it.each([
    ['another item of Latest', playFrom(latestSource, [one, two], 1)],
    ['the first of another source', playFrom(listSource, [one, two])],
  ] as const)('[PLAY-04] without a subscription %s is refused', (_, event) => {
    expect(runEvents(emptyPlayer, [event], closedGate)).toMatchObject({
      state: emptyPlayer,
      done: ['refused'],
    });
  });

  it.each([
    ['next', { type: 'next', removeFromContinue: true }],
    ['skip', { type: 'skipTo', index: 2 }],
    ['previous', { type: 'previous' }],
  ] as const)('[PLAY-04] %s to a closed gate is refused and the track plays on', (_, event) => {
    const before = buildPlaying([one, two, three], 1);
    expect(runEvents(before, [event], closedGate)).toMatchObject({ state: before, done: ['refused'] });
  });

  it('[PLAY-04] auto-advance to a closed gate stops and is refused', () => {
    const { state, done } = runEvents(buildPlaying(), [{ type: 'ended' }], closedGate);
    expect(state).toMatchObject({ activeTrack: { _id: one._id }, isPlaying: false, phase: 'paused' });
    expect(done).toEqual(['saveProgress', 'refused']);
  });

  describe('without a subscription', () => {
    const playFrom = (source: Source, track = one): PlayerEvent => ({
      type: 'playFrom',
      source,
      tracks: [track, two],
      index: 0,
    });
    const article: Source = { name: 'Track 1', playlist: null };
    const withheld = buildTrack(1, { url: null });

    it('[PLAY-04] next and the end of a track that plays alone are refused', () => {
      const alone: PlayerEvent[] = [playFrom(latestSource), { type: 'ready' }, { type: 'started' }];
      const skip: PlayerEvent = { type: 'next', removeFromContinue: true };
      expect(runEvents(emptyPlayer, [...alone, skip], closedGate)).toMatchObject({
        state: { isPlaying: true, activeTrack: { _id: one._id } },
        done: ['refused'],
      });
      const { state, done } = runEvents(emptyPlayer, [...alone, { type: 'ended' }], closedGate);
      expect([state.isPlaying, done]).toEqual([false, ['saveProgress', 'refused']]);
    });

    it('[PLAY-04] a withheld track of a list named Latest is refused; the track plays on', () => {
      const before = buildPlaying();
      expect(runEvents(before, [playFrom(latestSource, withheld)], closedGate)).toMatchObject({
        state: before,
        done: ['refused'],
      });
    });

    it('[PLAY-04] a track outside of lists plays alone if the server has signed its URL', () => {
      const { state, done } = runEvents(emptyPlayer, [playFrom(article)], closedGate);
      expect([ids(state), done]).toEqual([[one._id], ['load']]);
      expect(runEvents(state, [{ type: 'pause' }, { type: 'play' }], closedGate).done).toEqual(['play']);
      expect(runEvents(emptyPlayer, [playFrom(article, withheld)], closedGate).done).toEqual(['refused']);
    });
  });

  it('[PLAY-04] resuming at a closed gate is refused', () => {
    const before = runEvents(buildPlaying(), [{ type: 'pause' }]).state;
    expect(runEvents(before, [{ type: 'play' }], closedGate)).toMatchObject({
      state: before,
      done: ['refused'],
    });
  });

  it('[PLAY-04] a refusal by the server unloads the audio and is reported', () => {
    const { state, done } = runEvents(buildPlaying(), [next, { type: 'refusedByServer' }]);
    expect(state).toMatchObject({ phase: 'idle', isPlaying: false });
    expect(done).toEqual(['unload', 'refused']);
  });
});
