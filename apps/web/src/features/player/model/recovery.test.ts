import { describe, expect, it } from 'vitest';
import { buildTrack, toId } from '../testing/fixtures.ts';
import { buildPlaying, buildPlayingAt, buildTick, runEvents } from '../testing/run-events.ts';
import { createGate } from './gate.ts';
import { wasSuspended } from './recovery.ts';
import type { PlayerEvent, PlayerState } from './state.ts';

const [one, two] = [buildTrack(1), buildTrack(2)];
const hung: PlayerEvent = { type: 'timedOut' };
const fail: PlayerEvent = { type: 'failed', error: 'network' };
const woke: PlayerEvent = { type: 'systemResumed', seconds: 8 * 3600 };
const back = (seconds = 20): PlayerEvent => ({ type: 'networkRestored', seconds });
const elsewhere = (place: number): PlayerEvent => ({
  type: 'remotePositionsReceived',
  positions: { [toId(1)]: place },
  deviceKinds: { [toId(1)]: 'phone' },
});

const dry = runEvents(buildPlayingAt(33), [{ type: 'stalled' }]).state;
const begun = runEvents(buildPlaying(), [{ type: 'next', removeFromContinue: false }]).state;
const unknown = runEvents(buildPlaying([one, buildTrack(2, { url: null })]), [
  { type: 'next', removeFromContinue: false },
]).state;
const error = runEvents(buildPlayingAt(33), [fail, fail]).state;

describe('[PLAY-06] what follows by itself is gone', () => {
  const gone: PlayerEvent = { type: 'failed', error: 'unavailable' };
  const tracks = [1, 2, 3, 4].map((number) => buildTrack(number, { url: number === 1 ? '/1.mp3' : null }));
  const followed = runEvents(buildPlaying(tracks), [{ type: 'ended' }]).state;

  it('the one after it plays, and the failure is logged', () => {
    const { state, done } = runEvents(followed, [gone]);
    expect(state).toMatchObject({ phase: 'loading', isPlaying: true, activeTrack: { _id: toId(3) } });
    expect(done).toEqual(['notifyError', 'load']);
  });

  it.each<[string, PlayerState, PlayerEvent[], number]>([
    ['where the one after it is gone as well, that is shown', followed, [gone, gone], 3],
    ['so is what was chosen by hand', buildPlaying(tracks), [{ type: 'skipTo', index: 1 }, gone], 2],
    ['what had sounded', followed, [{ type: 'ready' }, { type: 'started' }, gone, gone], 2],
    ['and a network that is gone', followed, [fail], 2],
  ])('%s', (_, from, events, number) => {
    const { state } = runEvents(from, events);
    expect(state).toMatchObject({ phase: 'error', isPlaying: false, activeTrack: { _id: toId(number) } });
  });

  it('[PLAY-04] and so it is before a closed gate', () => {
    const { state } = runEvents(followed, [gone], createGate(false));
    expect(state).toMatchObject({ phase: 'error', activeTrack: { _id: toId(2) } });
  });
});

describe('[PLAY-06] nothing comes', () => {
  it.each<[string, PlayerState, number]>([
    ['a load before its first sound', begun, 0],
    ['a load whose address was asked for', unknown, 0],
    ['sound that ran dry', dry, 33],
  ])('%s: it is loaded once more, at its place, by another address', (_, from, position) => {
    const { state, effects } = runEvents(from, [hung]);
    expect(state).toMatchObject({ phase: 'loading', isPlaying: true, progress: position });
    expect(effects).toMatchObject([{ type: 'load', position, refreshUrl: true }]);
  });

  it.each<[string, PlayerEvent[]]>([
    ['again', [hung, hung]],
    ['again once it was ready', [hung, { type: 'ready' }, hung]],
    [
      'again soon after it sounded',
      [hung, { type: 'ready' }, { type: 'started' }, { type: 'stalled' }, hung],
    ],
    ['again after a failure', [fail, hung, hung]],
    ['and then it fails', [hung, fail]],
  ])('%s: that is shown, with another try', (_, events) => {
    const { state, done } = runEvents(dry, events);
    expect(state).toMatchObject({ phase: 'error', error: 'network', isPlaying: false });
    expect(done).toEqual(['notifyError']);
    expect(runEvents(state, [{ type: 'play' }, hung]).done).toEqual(['load']);
  });

  it('sound that held is waited for anew', () => {
    const ticks = [34, 35, 36, 37, 38].map((position) => buildTick(position));
    const held = runEvents(dry, [
      hung,
      { type: 'ready' },
      { type: 'started' },
      ...ticks,
      { type: 'stalled' },
    ]).state;
    expect(runEvents(held, [hung]).state.phase).toBe('loading');
  });

  it.each<[string, PlayerState]>([
    ['what sounds', buildPlaying()],
    ['what is paused', runEvents(dry, [{ type: 'pause' }]).state],
    ['what was given up', error],
  ])('%s is left alone', (_, state) => {
    expect(runEvents(state, [hung])).toMatchObject({ state, done: [] });
  });
});

describe('[PLAY-05] the machine slept', () => {
  it.each<[string, PlayerState]>([
    ['over sound', buildPlayingAt(33)],
    ['over sound that had run dry', dry],
  ])('%s: it comes back at its place, once it is known what other devices did', (_, from) => {
    const { state, effects } = runEvents(from, [woke]);
    expect(effects).toMatchObject([{ type: 'load', position: 33, refreshUrl: true, checkRemote: true }]);
    const sounding = runEvents(state, [elsewhere(31), { type: 'ready' }, { type: 'started' }]).state;
    expect(sounding).toMatchObject({ phase: 'playing', isPlaying: true, progress: 33, isInterrupted: false });
    expect(runEvents(sounding, [elsewhere(70)]).state).toMatchObject({ isPlaying: true, progress: 33 });
  });

  it('another device has gone on: it stays silent there, and the reader is told the way back', () => {
    const { state, effects } = runEvents(buildPlayingAt(33), [woke, elsewhere(70)]);
    expect(state).toMatchObject({ isPlaying: false, progress: 70 });
    expect(effects).toEqual([{ type: 'positionChanged', track: one, from: 33, to: 70, reason: 'phone' }]);
    expect(runEvents(state, [{ type: 'ready' }, { type: 'started' }]).state.phase).toBe('paused');
  });

  it.each<[string, PlayerEvent[]]>([
    ['what was paused stays so', [{ type: 'pause' }, woke]],
    ['sound that was to end meanwhile has ended', [{ type: 'setSleep', sleep: 1800 }, woke]],
  ])('%s', (_, events) => {
    expect(runEvents(buildPlayingAt(33), events).state).toMatchObject({
      phase: 'paused',
      isPlaying: false,
      sleep: null,
    });
  });

  it.each([
    [8 * 3600, 0.5, true],
    [61, 2, true],
    [61, 60, false],
    [30, 0, false],
  ])('a second that took %d s in which %d s were heard: %s', (away, heard, expected) => {
    expect(wasSuspended(away, heard)).toBe(expected);
  });
});

describe('[PLAY-05] the network comes back', () => {
  it('sound that was cut off goes on by itself at its place, once it is known what other devices did', () => {
    const { state, effects } = runEvents(error, [back()]);
    expect(state).toMatchObject({ phase: 'loading', isPlaying: true, error: null });
    expect(effects).toMatchObject([{ type: 'load', position: 33, refreshUrl: true, checkRemote: true }]);
    expect(runEvents(state, [fail, back()]).effects).toEqual(effects);
    expect(runEvents(state, [hung]).effects).toEqual(effects);
  });

  it.each<[string, PlayerEvent[]]>([
    ['nobody expects it any more', [fail, fail, back(301)]],
    ['another tab plays', [fail, fail, { type: 'otherTabPlaying', signal: 'goesOn' }, back()]],
    ['it was paused before', [{ type: 'pause' }, fail, fail, back()]],
    ['it was paused since', [fail, fail, { type: 'pause' }, back()]],
    ['the audio itself is at error', [fail, { type: 'failed', error: 'unavailable' }, back()]],
  ])('where %s, it stays silent', (_, events) => {
    expect(runEvents(buildPlayingAt(33), events)).toMatchObject({
      state: { phase: 'error', isPlaying: false },
      done: [],
    });
  });

  it('[PLAY-04] a gate that closed meanwhile stays closed, without a word', () => {
    const second = runEvents(buildPlaying([one, two], 1), [fail, fail]).state;
    expect(runEvents(second, [back()], createGate(false)).done).toEqual([]);
  });
});
