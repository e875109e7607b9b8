import { describe, expect, it } from 'vitest';
import {
  buildPausedAt,
  buildPlaying,
  buildPlayingAt,
  buildTick,
  buildTrack,
  latestSource,
  next,
  playFrom,
  runEvents,
} from '../testing/fixtures.ts';
import { emptyPlayer, type PlayerEvent, type PlayerState } from './state.ts';

const [one, two] = [buildTrack(1), buildTrack(2)];

describe('remote positions', () => {
  const received: PlayerEvent = {
    type: 'remotePositionsReceived',
    positions: { [one._id]: 70, [two._id]: 20 },
  };

  it('[PLAY-05] a track that is not loaded takes the remote position', () => {
    const { state } = runEvents(emptyPlayer, [
      { type: 'enqueue', track: one, at: 'end' },
      { type: 'enqueue', track: two, at: 'end' },
      received,
    ]);
    expect(state).toMatchObject({ progress: 70, queue: [{ progress: 70 }, { progress: 20 }] });
  });

  it('[PLAY-05] a paused track moves to the remote position and reports the change', () => {
    const paused = buildPausedAt(5);
    expect(runEvents(paused, [received])).toMatchObject({
      state: { progress: 70, phase: 'paused' },
      effects: [
        { type: 'seek', position: 70 },
        { type: 'positionChanged', track: { _id: one._id }, from: 5, to: 70, reason: 'otherDevice' },
      ],
    });
  });

  it('[PLAY-05] reports the kind of the other device where known', () => {
    const paused = buildPausedAt(5);
    const { effects } = runEvents(paused, [{ ...received, deviceKinds: { [one._id]: 'phone' } }]);
    expect(effects).toContainEqual(expect.objectContaining({ type: 'positionChanged', reason: 'phone' }));
  });

  it('[PLAY-05] does not report a change of a few seconds', () => {
    const paused = buildPausedAt(68);
    expect(runEvents(paused, [received]).done).toEqual(['seek']);
  });

  it.each<[string, PlayerState, number, string[]]>([
    ['a playing track continues from there', buildPlaying(), 70, ['saveProgress', 'seek', 'positionChanged']],
    ['a paused track stays paused there', buildPausedAt(20), 70, ['saveProgress', 'seek', 'positionChanged']],
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
    expect(runEvents(updated.state, [next]).state.progress).toBe(70);
  });

  it('[PLAY-05] saves the position when playing resumes, but not after a stall', () => {
    const paused = buildPausedAt(20);
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
    const paused = buildPausedAt(60);
    expect(runEvents(paused, [{ type: 'seek', position: 0 }]).done).toEqual([
      'saveProgress',
      'seek',
      'positionChanged',
    ]);
  });
});

describe('a paused track', () => {
  const paused = buildPausedAt(7);
  const resuming = runEvents(paused, [{ type: 'play' }]).state;

  it.each<[string, PlayerState, PlayerEvent]>([
    ['next', paused, next],
    ['playing another source', paused, playFrom(latestSource, [two])],
    ['removing it', paused, { type: 'remove', id: one._id }],
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
