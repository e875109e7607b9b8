import { describe, expect, it } from 'vitest';
import {
  buildPlaying,
  buildPlayingAt,
  buildTick,
  buildTrack,
  next,
  runEvents,
  toId,
} from '../testing/fixtures.ts';
import { createGate } from './gate.ts';
import { wasSuspended } from './recovery.ts';
import { emptyPlayer, type PlayerEvent, type PlayerState } from './state.ts';

const [one, two] = [buildTrack(1), buildTrack(2)];
const timedOut: PlayerEvent = { type: 'timedOut' };
const fail: PlayerEvent = { type: 'failed', error: 'network' };
const systemResumed: PlayerEvent = { type: 'systemResumed', seconds: 8 * 3600 };
const networkRestored = (seconds = 20): PlayerEvent => ({ type: 'networkRestored', seconds });
const remoteAt = (position: number): PlayerEvent => ({
  type: 'remotePositionsReceived',
  positions: { [toId(1)]: position },
  deviceKinds: { [toId(1)]: 'phone' },
});

const stalled = runEvents(buildPlayingAt(33), [{ type: 'stalled' }]).state;
const loading = runEvents(buildPlaying(), [next]).state;
const loadingWithoutUrl = runEvents(buildPlaying([one, buildTrack(2, { url: null })]), [next]).state;
const failed = runEvents(buildPlayingAt(33), [fail, fail]).state;

describe('[PLAY-06] auto-advance to an unavailable track', () => {
  const unavailable: PlayerEvent = { type: 'failed', error: 'unavailable' };
  const tracks = [1, 2, 3, 4].map((number) => buildTrack(number, { url: number === 1 ? '/1.mp3' : null }));
  const advanced = runEvents(buildPlaying(tracks), [{ type: 'ended' }]).state;

  it('plays the track after it and logs the failure', () => {
    const { state, done } = runEvents(advanced, [unavailable]);
    expect(state).toMatchObject({ phase: 'loading', isPlaying: true, activeTrack: { _id: toId(3) } });
    expect(done).toEqual(['notifyError', 'load']);
  });

  it.each<[string, PlayerState, PlayerEvent[], number]>([
    ['a second unavailable track', advanced, [unavailable, unavailable], 3],
    ['a track chosen by the user', buildPlaying(tracks), [{ type: 'skipTo', index: 1 }, unavailable], 2],
    [
      'a track that had started',
      advanced,
      [{ type: 'ready' }, { type: 'started' }, unavailable, unavailable],
      2,
    ],
    ['a network failure', advanced, [fail], 2],
  ])('shows an error for %s', (_, from, events, number) => {
    const { state } = runEvents(from, events);
    expect(state).toMatchObject({ phase: 'error', isPlaying: false, activeTrack: { _id: toId(number) } });
  });

  it('[PLAY-04] shows an error before a closed gate', () => {
    const { state } = runEvents(advanced, [unavailable], createGate(false));
    expect(state).toMatchObject({ phase: 'error', activeTrack: { _id: toId(2) } });
  });
});

describe('[PLAY-06] a timeout', () => {
  it.each<[string, PlayerState, number]>([
    ['a track that is loading', loading, 0],
    ['a track whose URL was requested', loadingWithoutUrl, 0],
    ['stalled audio', stalled, 33],
  ])('reloads %s with a fresh URL at its position', (_, from, position) => {
    const { state, effects } = runEvents(from, [timedOut]);
    expect(state).toMatchObject({ phase: 'loading', isPlaying: true, progress: position });
    expect(effects).toMatchObject([{ type: 'load', position, refreshUrl: true }]);
  });

  it.each<[string, PlayerEvent[]]>([
    ['a second timeout', [timedOut, timedOut]],
    ['a second timeout after ready', [timedOut, { type: 'ready' }, timedOut]],
    [
      'a second timeout soon after it started',
      [timedOut, { type: 'ready' }, { type: 'started' }, { type: 'stalled' }, timedOut],
    ],
    ['two timeouts after a failure', [fail, timedOut, timedOut]],
    ['a failure after the timeout', [timedOut, fail]],
  ])('pauses and shows an error that can be retried for %s', (_, events) => {
    const { state, done } = runEvents(stalled, events);
    expect(state).toMatchObject({ phase: 'error', error: 'network', isPlaying: false });
    expect(done).toEqual(['pause', 'notifyError']);
    expect(runEvents(state, [{ type: 'play' }, timedOut]).done).toEqual(['load']);
  });

  it('playing for a while resets the timeouts', () => {
    const ticks = [34, 35, 36, 37, 38].map((position) => buildTick(position));
    const recovered = runEvents(stalled, [
      timedOut,
      { type: 'ready' },
      { type: 'started' },
      ...ticks,
      { type: 'stalled' },
    ]).state;
    expect(runEvents(recovered, [timedOut]).state.phase).toBe('loading');
  });

  it.each<[string, PlayerState]>([
    ['a playing track', buildPlaying()],
    ['a paused track', runEvents(stalled, [{ type: 'pause' }]).state],
    ['a failed track', failed],
  ])('%s ignores a timeout', (_, state) => {
    expect(runEvents(state, [timedOut])).toMatchObject({ state, done: [] });
  });
});

describe('[PLAY-05] after a suspend', () => {
  it.each<[string, PlayerState]>([
    ['playing', buildPlayingAt(33)],
    ['stalled', stalled],
  ])('a %s track resumes at its position after remote progress was loaded', (_, from) => {
    const { state, effects } = runEvents(from, [systemResumed]);
    expect(effects).toMatchObject([{ type: 'load', position: 33, refreshUrl: true, checkRemote: true }]);
    const playing = runEvents(state, [remoteAt(31), { type: 'ready' }, { type: 'started' }]).state;
    expect(playing).toMatchObject({ phase: 'playing', isPlaying: true, progress: 33, isInterrupted: false });
    expect(runEvents(playing, [remoteAt(70)]).state).toMatchObject({ isPlaying: true, progress: 33 });
  });

  it('stays paused at a remote position and reports the change', () => {
    const { state, effects } = runEvents(buildPlayingAt(33), [systemResumed, remoteAt(70)]);
    expect(state).toMatchObject({ isPlaying: false, progress: 70 });
    expect(effects).toEqual([{ type: 'positionChanged', track: one, from: 33, to: 70, reason: 'phone' }]);
    expect(runEvents(state, [{ type: 'ready' }]).state.phase).toBe('paused');
  });

  it.each<[string, PlayerEvent[]]>([
    ['a paused track stays paused', [{ type: 'pause' }, systemResumed]],
    ['a sleep timer that ran out pauses', [{ type: 'setSleep', sleep: 1800 }, systemResumed]],
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
  ])('wasSuspended: %d s elapsed, %d s played: %s', (elapsed, played, expected) => {
    expect(wasSuspended(elapsed, played)).toBe(expected);
  });
});

describe('[PLAY-05] a restored network', () => {
  it('resumes an interrupted track at its position after loading remote progress', () => {
    const { state, effects } = runEvents(failed, [networkRestored()]);
    expect(state).toMatchObject({ phase: 'loading', isPlaying: true, error: null });
    expect(effects).toMatchObject([{ type: 'load', position: 33, refreshUrl: true, checkRemote: true }]);
    expect(runEvents(state, [fail, networkRestored()]).effects).toEqual(effects);
    expect(runEvents(state, [timedOut]).effects).toEqual(effects);
  });

  it.each<[string, PlayerEvent[]]>([
    ['after more than five minutes', [fail, fail, networkRestored(301)]],
    [
      'while another tab plays',
      [fail, fail, { type: 'otherTabPlaying', signal: 'goesOn' }, networkRestored()],
    ],
    ['when paused before the failure', [{ type: 'pause' }, fail, fail, networkRestored()]],
    ['when paused after the failure', [fail, fail, { type: 'pause' }, networkRestored()]],
    ['when the audio is unavailable', [fail, { type: 'failed', error: 'unavailable' }, networkRestored()]],
  ])('does not resume %s', (_, events) => {
    expect(runEvents(buildPlayingAt(33), events)).toMatchObject({
      state: { phase: 'error', isPlaying: false },
      done: [],
    });
  });

  it('[PLAY-04] resumes a track outside of lists without a subscription', () => {
    const { state, done } = runEvents(
      emptyPlayer,
      [
        { type: 'playFrom', source: { name: one.title, playlist: null }, tracks: [one], index: 0 },
        { type: 'ready' },
        { type: 'started' },
        fail,
        fail,
        networkRestored(),
      ],
      createGate(false),
    );
    expect([state.phase, done]).toEqual(['loading', ['load']]);
  });

  it('[PLAY-04] does not resume at a closed gate', () => {
    const second = runEvents(buildPlaying([one, two], 1), [fail, fail]).state;
    expect(runEvents(second, [networkRestored()], createGate(false)).done).toEqual([]);
  });
});
