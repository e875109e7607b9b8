import { describe, expect, it } from 'vitest';
import { buildTrack, latestSource, listSource, toId } from '../testing/fixtures.ts';
import { buildPlaying, buildPlayingAt, buildTick, runEvents } from '../testing/run-events.ts';
import { createGate } from './gate.ts';
import { transition } from './machine.ts';
import { emptyPlayer, type PlayerEvent, type PlayerState, type Source } from './state.ts';

const [one, two, three] = [buildTrack(1), buildTrack(2), buildTrack(3)];
const openGate = createGate(true);
const closedGate = createGate(false);

const ids = (state: PlayerState) => state.queue.map((track) => track._id);

describe('the queue', () => {
  it('[PLAY-02] the first add sets the active track and plays nothing', () => {
    const { state, done } = runEvents(emptyPlayer, [{ type: 'add', source: listSource, tracks: [one, two] }]);
    expect(state).toMatchObject({ activeTrack: { _id: one._id }, isPlaying: false, phase: 'idle' });
    expect(done).toEqual([]);
  });

  it('[PLAY-02] the same source appends missing tracks and keeps what plays', () => {
    const { state, done } = runEvents(buildPlaying([one, two]), [
      { type: 'add', source: listSource, tracks: [two, three] },
    ]);
    expect(ids(state)).toEqual([one._id, two._id, three._id]);
    expect(state).toMatchObject({ activeTrack: { _id: one._id }, phase: 'playing' });
    expect(done).toEqual([]);
  });

  it('[PLAY-02] a different source replaces the queue', () => {
    const { state } = runEvents(buildPlaying(), [
      { type: 'playFrom', source: latestSource, tracks: [buildTrack(7), buildTrack(8)], index: 1 },
    ]);
    expect(ids(state)).toEqual([toId(7), toId(8)]);
    expect(state.activeTrack).toMatchObject({
      _id: toId(8),
      source: latestSource.name,
      playlist: latestSource.playlist,
    });
  });

  it('[PLAY-02] a different source with the playing track continues it', () => {
    const { state, done } = runEvents(buildPlayingAt(30), [
      { type: 'playFrom', source: latestSource, tracks: [buildTrack(7), one], index: 1 },
    ]);
    expect(state).toMatchObject({
      phase: 'playing',
      progress: 30,
      activeTrack: { source: latestSource.name },
    });
    expect(done).toEqual([]);
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
    ['next', { type: 'next', removeFromContinue: false }, 1, three._id],
    ['previous', { type: 'previous' }, 1, one._id],
    ['skip to the third', { type: 'skipTo', index: 2 }, 0, three._id],
  ] as const)('%s activates and loads the track', (_, event, index, id) => {
    const { state, effects } = runEvents(buildPlaying([one, two, three], index), [event]);
    expect(state).toMatchObject({ activeTrack: { _id: id }, phase: 'loading', isPlaying: true });
    expect(effects.at(-1)).toMatchObject({ type: 'load', track: { _id: id } });
  });

  it('[PLAY-03] next at the last track stops playing', () => {
    const { state, done } = runEvents(buildPlaying([one, two], 1), [
      { type: 'next', removeFromContinue: false },
    ]);
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
    const { effects } = runEvents(buildPlayingAt(12), [{ type: 'next', removeFromContinue: false }]);
    expect(effects[0]).toMatchObject({ type: 'saveProgress', position: 12, cause: 'pause' });
  });

  it('[PLAY-05] returning to a track resumes at its position', () => {
    const { effects } = runEvents(buildPlayingAt(12), [
      { type: 'next', removeFromContinue: false },
      { type: 'previous' },
    ]);
    expect(effects.at(-1)).toMatchObject({ type: 'load', track: { _id: one._id }, position: 12 });
  });
});

describe('the gate', () => {
  it('[PLAY-04] without a subscription the first of Latest plays alone', () => {
    const { state, done } = runEvents(
      emptyPlayer,
      [{ type: 'playFrom', source: latestSource, tracks: [one, two], index: 0 }],
      closedGate,
    );
    expect(ids(state)).toEqual([one._id]);
    expect(done).toEqual(['load']);
  });

  it.each([
    ['another item of Latest', { type: 'playFrom', source: latestSource, tracks: [one, two], index: 1 }],
    ['the first of another source', { type: 'playFrom', source: listSource, tracks: [one, two], index: 0 }],
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
      const next: PlayerEvent = { type: 'next', removeFromContinue: true };
      expect(runEvents(emptyPlayer, [...alone, next], closedGate)).toMatchObject({
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
    const { state, done } = runEvents(buildPlaying(), [
      { type: 'next', removeFromContinue: false },
      { type: 'refusedByServer' },
    ]);
    expect(state).toMatchObject({ phase: 'idle', isPlaying: false });
    expect(done).toEqual(['unload', 'refused']);
  });
});

describe('play and pause', () => {
  it('[PLAY-05] pausing saves the position', () => {
    const { state, effects } = runEvents(buildPlayingAt(42), [{ type: 'pause' }]);
    expect(state).toMatchObject({ phase: 'paused', isPlaying: false });
    expect(effects).toEqual([
      { type: 'pause' },
      { type: 'saveProgress', track: one, position: 42, cause: 'pause' },
    ]);
  });

  it.each([
    [buildTrack(1, { progress: 61 }), 61],
    [buildTrack(1, { progress: 100 }), 0],
    [buildTrack(1, { progress: 99.5 }), 0],
  ])('[PLAY-05] starts at the saved position, or at 0 when that is the end', (track, position) => {
    const { effects } = runEvents(emptyPlayer, [
      { type: 'playFrom', source: listSource, tracks: [track], index: 0 },
    ]);
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
    const { state } = runEvents(buildPlaying(), [
      { type: 'next', removeFromContinue: false },
      { type: 'pause' },
      { type: 'ready' },
      { type: 'started' },
    ]);
    expect(state).toMatchObject({ phase: 'paused', isPlaying: false });
  });

  it('a pause by the element counts as a pause', () => {
    const { state, effects } = runEvents(buildPlayingAt(9), [{ type: 'elementPaused' }]);
    expect(state).toMatchObject({ phase: 'paused', isPlaying: false });
    expect(effects.at(-1)).toMatchObject({ type: 'saveProgress', cause: 'pause', position: 9 });
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

  it('[PLAY-06] stops after the last track; play restarts it', () => {
    const finished = runEvents(buildPlaying([one]), [{ type: 'ended' }]).state;
    expect(finished).toMatchObject({ phase: 'paused', isPlaying: false, progress: 100 });
    expect(runEvents(finished, [{ type: 'play' }])).toMatchObject({
      state: { progress: 0, isPlaying: true },
      effects: [{ type: 'seek', position: 0 }, { type: 'play' }],
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
    expect(effects).toMatchObject([{ type: 'notifyError', error: 'network' }]);
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

describe('remote positions', () => {
  const received: PlayerEvent = {
    type: 'remotePositionsReceived',
    positions: { [one._id]: 70, [two._id]: 20 },
  };

  it('[PLAY-05] a track that is not loaded takes the remote position', () => {
    const { state } = runEvents(emptyPlayer, [
      { type: 'add', source: listSource, tracks: [one, two] },
      received,
    ]);
    expect(state).toMatchObject({ progress: 70, queue: [{ progress: 70 }, { progress: 20 }] });
  });

  it('[PLAY-05] a paused track moves to the remote position and reports the change', () => {
    const paused = runEvents(buildPlayingAt(5), [{ type: 'pause' }]).state;
    expect(runEvents(paused, [received])).toMatchObject({
      state: { progress: 70, phase: 'paused' },
      effects: [
        { type: 'seek', position: 70 },
        { type: 'positionChanged', track: { _id: one._id }, from: 5, to: 70, reason: 'otherDevice' },
      ],
    });
  });

  it('[PLAY-05] reports the kind of the other device where known', () => {
    const paused = runEvents(buildPlayingAt(5), [{ type: 'pause' }]).state;
    const { effects } = runEvents(paused, [{ ...received, deviceKinds: { [one._id]: 'phone' } }]);
    expect(effects).toContainEqual(expect.objectContaining({ type: 'positionChanged', reason: 'phone' }));
  });

  it('[PLAY-05] does not report a change of a few seconds', () => {
    const paused = runEvents(buildPlayingAt(68), [{ type: 'pause' }]).state;
    expect(runEvents(paused, [received]).done).toEqual(['seek']);
  });

  it.each<[string, PlayerState, number, string[]]>([
    ['a playing track continues from there', buildPlaying(), 70, ['saveProgress', 'seek', 'positionChanged']],
    [
      'a paused track stays paused there',
      runEvents(buildPlayingAt(20), [{ type: 'pause' }]).state,
      70,
      ['saveProgress', 'seek', 'positionChanged'],
    ],
    ['a difference of five seconds is ignored', buildPlayingAt(66), 66, []],
    [
      'a seek by the user is kept',
      runEvents(buildPlayingAt(20), [{ type: 'seek', position: 40 }]).state,
      40,
      [],
    ],
  ])('[PLAY-05] remote device ahead: %s', (_title, before, position, effects) => {
    const { state, done } = runEvents(before, [
      { type: 'remoteIsAhead', id: buildTrack(1)._id, position: 70, deviceKind: null },
    ]);
    expect([state.progress, state.isPlaying]).toEqual([position, before.isPlaying]);
    expect(done).toEqual(effects);
  });

  it('[PLAY-05] a queued track takes the remote position', () => {
    const updated = runEvents(buildPlaying(), [
      { type: 'remoteIsAhead', id: buildTrack(2)._id, position: 70, deviceKind: 'phone' },
    ]);
    expect([updated.state.progress, updated.done]).toEqual([0, []]);
    expect(runEvents(updated.state, [{ type: 'next', removeFromContinue: false }]).state.progress).toBe(70);
  });

  it('[PLAY-05] saves the position when playing resumes, but not after a stall', () => {
    const paused = runEvents(buildPlayingAt(20), [{ type: 'pause' }]).state;
    const { effects } = runEvents(paused, [{ type: 'play' }, { type: 'started' }]);
    expect(effects).toContainEqual(
      expect.objectContaining({ type: 'saveProgress', cause: 'play', position: 20 }),
    );
    expect(runEvents(buildPlayingAt(20), [{ type: 'stalled' }, { type: 'started' }]).done).toEqual([]);
  });

  it('a playing track ignores received positions', () => {
    expect(runEvents(buildPlayingAt(5), [received]).state.progress).toBe(5);
  });
});

describe('a jump to the start', () => {
  it('[PLAY-05] while playing is reported and not saved at once', () => {
    const { effects } = runEvents(buildPlayingAt(60), [{ type: 'seek', position: 0 }]);
    expect(effects).toEqual([
      { type: 'seek', position: 0 },
      { type: 'positionChanged', track: one, from: 60, to: 0, reason: 'start' },
    ]);
  });

  it('[PLAY-05] is saved once playing continues from there', () => {
    const { state, effects } = runEvents(buildPlayingAt(60), [
      { type: 'seek', position: 0 },
      ...[1, 2, 3, 4].map((position) => buildTick(position)),
    ]);
    expect(effects).toMatchObject([{ type: 'saveProgress', position: 4, cause: 'tick' }]);
    expect(state.progress).toBe(4);
  });

  it.each([
    ['from near the start', 20, 0],
    ['to another position', 60, 10],
  ])('%s is saved at once', (_, from, position) => {
    expect(runEvents(buildPlayingAt(from), [{ type: 'seek', position }]).done).toEqual([
      'saveProgress',
      'seek',
    ]);
  });

  it('while paused is saved at once and reported', () => {
    const paused = runEvents(buildPlayingAt(60), [{ type: 'pause' }]).state;
    expect(runEvents(paused, [{ type: 'seek', position: 0 }]).done).toEqual([
      'saveProgress',
      'seek',
      'positionChanged',
    ]);
  });
});

describe('a paused track', () => {
  const paused = runEvents(buildPlayingAt(7), [{ type: 'pause' }]).state;
  const resuming = runEvents(paused, [{ type: 'play' }]).state;
  const next: PlayerEvent = { type: 'next', removeFromContinue: false };

  it.each<[string, PlayerState, PlayerEvent]>([
    ['next', paused, next],
    ['playing another source', paused, { type: 'playFrom', source: latestSource, tracks: [two], index: 0 }],
    ['removing it', paused, { type: 'remove', id: one._id }],
    ['adding another source', paused, { type: 'add', source: latestSource, tracks: [two] }],
    ['a pause before it plays again', resuming, { type: 'pause' }],
    ['leaving the page before it plays again', resuming, { type: 'pageHidden' }],
    ['next before it plays again', resuming, next],
  ])('[PLAY-05] is not saved again by %s', (_title, before, event) => {
    expect(runEvents(before, [event]).done).not.toContain('saveProgress');
  });

  it('[PLAY-05] is saved again once it has played or the user seeks', () => {
    expect(runEvents(resuming, [{ type: 'started' }, next]).effects[0]).toMatchObject({ cause: 'pause' });
    expect(runEvents(paused, [{ type: 'seek', position: 9 }]).done).toContain('saveProgress');
  });
});

describe('leaving the page', () => {
  it('saves the position while playing', () => {
    expect(runEvents(buildPlayingAt(5), [{ type: 'pageHidden' }]).effects).toMatchObject([
      { type: 'saveProgress', cause: 'hide', position: 5 },
    ]);
  });

  it('saves nothing while paused', () => {
    expect(runEvents(buildPlayingAt(5), [{ type: 'pause' }, { type: 'pageHidden' }]).done).toEqual([]);
  });
});
