import { describe, expect, it } from 'vitest';
import { buildPlaying, buildPlayingAt, buildTrack, next, runEvents, toId } from '../testing/fixtures.ts';
import { createGate } from './gate.ts';
import { transition } from './machine.ts';
import { selectAround, setTrackProgress } from './queue.ts';
import { emptyPlayer, type PlayerEvent, type PlayerState } from './state.ts';

const tracks = [1, 2, 3, 4].map((number) => buildTrack(number));
const toNumbers = (list: readonly { _id: string }[]) => list.map(({ _id }) => Number(_id.slice(-2)));
const order = ({ queue }: PlayerState) => toNumbers(queue);
const move = (number: number, index: number): PlayerEvent => ({ type: 'move', id: toId(number), index });

describe('the order of the queue', () => {
  it.each([
    ['down', move(1, 2), [2, 3, 1, 4]],
    ['up', move(4, 0), [4, 1, 2, 3]],
    ['to where it is', move(2, 1), [1, 2, 3, 4]],
    ['beyond the end', move(2, 4), [1, 2, 3, 4]],
    ['before the beginning', move(2, -1), [1, 2, 3, 4]],
    ['to between', move(2, 1.5), [1, 2, 3, 4]],
    ['of an unknown track', move(9, 0), [1, 2, 3, 4]],
    ['to be next', { type: 'playNext', id: toId(4) }, [1, 2, 4, 3]],
    ['of an earlier one to be next', { type: 'playNext', id: toId(1) }, [2, 1, 3, 4]],
    ['of the active one to be next', { type: 'playNext', id: toId(2) }, [1, 2, 3, 4]],
  ] as const)('[PLAY-07] a move %s does not interrupt playing', (name, event, expected) => {
    const before = buildPlaying(
      tracks,
      name.startsWith('of an earlier') || name.startsWith('of the active') || name === 'to be next' ? 1 : 0,
    );
    const { state, done } = runEvents(before, [event]);
    expect(order(state)).toEqual(expected);
    expect(state).toMatchObject({ activeTrack: { _id: before.activeTrack?._id }, phase: 'playing' });
    expect(done).toEqual([]);
  });

  it.each([
    ['a new one next', buildTrack(9), 'next', [1, 2, 9, 3, 4]],
    ['a new one at the end', buildTrack(9), 'end', [1, 2, 3, 4, 9]],
    ['one of the queue next', buildTrack(4), 'next', [1, 2, 4, 3]],
    ['one of the queue at the end', buildTrack(1), 'end', [2, 3, 4, 1]],
    ['the active one at the end', buildTrack(2), 'end', [1, 2, 3, 4]],
  ] as const)('[PLAY-07] adding %s does not interrupt playing', (_name, track, at, expected) => {
    const before = buildPlaying(tracks, 1);
    const { state, done } = runEvents(before, [{ type: 'enqueue', track, at }]);
    expect(order(state)).toEqual(expected);
    expect(state).toMatchObject({ activeTrack: { _id: toId(2) }, phase: 'playing' });
    expect(new Set(state.queue.map(({ source }) => source))).toEqual(new Set([before.activeTrack?.source]));
    expect(done).toEqual([]);
  });

  it('[PLAY-06] removing the track whose load failed ends what the network resumes', () => {
    const failed: PlayerState = {
      ...buildPlaying(tracks, 3),
      phase: 'error',
      error: 'network',
      isInterrupted: true,
    };
    const { state } = runEvents(failed, [{ type: 'remove', id: toId(4) }]);
    expect(state).toMatchObject({ activeTrack: { _id: toId(3) }, phase: 'idle', isInterrupted: false });
  });

  it('[PLAY-07] next follows the new order', () => {
    const { state } = runEvents(buildPlaying(tracks), [move(4, 1), next]);
    expect(state.activeTrack?._id).toBe(toId(4));
  });
});

describe('restoreQueue', () => {
  const before = buildPlayingAt(30, buildPlaying(tracks, 1));
  const restore: PlayerEvent = {
    type: 'restoreQueue',
    queue: setTrackProgress(before.queue, toId(2), 30),
    activeId: toId(2),
  };

  it('[PLAY-07] returns a removed track to its index', () => {
    const { state, done } = runEvents(before, [{ type: 'remove', id: toId(4) }, restore]);
    expect(order(state)).toEqual([1, 2, 3, 4]);
    expect(done).toEqual([]);
  });

  it('[PLAY-07] resumes a removed track that was playing at its position', () => {
    const { state, effects } = runEvents(before, [{ type: 'remove', id: toId(2) }, restore]);
    expect(state).toMatchObject({ activeTrack: { _id: toId(2) }, isPlaying: true, progress: 30 });
    expect(effects.at(-1)).toMatchObject({ type: 'load', position: 30 });
  });

  it('[PLAY-07] restores a cleared queue, paused at its position', () => {
    const { state, done } = runEvents(before, [{ type: 'pause' }, { type: 'reset' }, restore]);
    expect(order(state)).toEqual([1, 2, 3, 4]);
    expect(state).toMatchObject({
      activeTrack: { _id: toId(2) },
      isPlaying: false,
      phase: 'idle',
      progress: 30,
    });
    expect(done).toEqual(['unload']);
  });

  const enqueue: PlayerEvent = { type: 'enqueue', track: buildTrack(9), at: 'next' };
  const ended: PlayerEvent = { type: 'ended' };

  it.each<[string, PlayerEvent[], number, string[]]>([
    ['the next track plays on after a move', [move(1, 3), ended], 3, []],
    ['the next track plays on after a removal', [{ type: 'remove', id: toId(4) }, ended], 3, []],
    ['the next track plays on after an addition', [enqueue, ended, ended], 3, []],
    ['an added track that plays gives way to the one before it', [enqueue, ended], 2, ['unload', 'load']],
  ])('[PLAY-07] %s', (_, events, number, effects) => {
    const { state, done } = runEvents(before, [...events, restore]);
    expect(order(state)).toEqual([1, 2, 3, 4]);
    expect(state).toMatchObject({ activeTrack: { _id: toId(number) }, phase: 'loading', isPlaying: true });
    expect(done).toEqual(effects);
  });

  it('keeps positions received after the change', () => {
    const { state } = runEvents(before, [
      move(1, 3),
      { type: 'remotePositionsReceived', positions: { [toId(3)]: 77 } },
      restore,
    ]);
    expect(state.queue[2]?.progress).toBe(77);
  });
});

describe('[PLAY-07] undoing an addition to the queue', () => {
  const add = (number: number): PlayerEvent => ({ type: 'enqueue', track: buildTrack(number), at: 'end' });
  const undo = (number: number, { queue }: PlayerState): PlayerEvent => ({
    type: 'undoEnqueue',
    id: toId(number),
    queue,
  });
  const before = buildPlaying(tracks, 1);

  it.each([
    ['a new track', [add(9), undo(9, before)], [1, 2, 3, 4]],
    ['a track that was moved', [add(1), undo(1, before)], [1, 2, 3, 4]],
    ['the first of two tracks', [add(8), add(9), undo(8, before)], [1, 2, 3, 4, 9]],
    ['a track that was moved before others', [add(1), add(9), undo(1, before)], [1, 2, 3, 4, 9]],
    [
      'a track that was removed since',
      [add(9), { type: 'remove', id: toId(9) }, undo(9, before)],
      [1, 2, 3, 4],
    ],
  ] as const)('%s leaves the rest of the queue, which plays on', (_name, events, expected) => {
    const { state } = runEvents(before, events);
    expect(order(state)).toEqual(expected);
    expect(state).toMatchObject({ activeTrack: { _id: toId(2) }, phase: 'playing' });
  });

  const addNext: PlayerEvent = { type: 'enqueue', track: buildTrack(9), at: 'next' };

  it.each<[string, PlayerEvent]>([
    ['after the track before it has ended', { type: 'ended' }],
    ['because the user skipped to it', next],
  ])('leaves the added track that plays by then %s', (_name, change) => {
    const { state, done } = runEvents(before, [addNext, change, undo(9, before)]);
    expect(order(state)).toEqual([1, 2, 9, 3, 4]);
    expect(state).toMatchObject({ activeTrack: { _id: toId(9) }, isPlaying: true });
    expect(done).toEqual([]);
  });

  it('replaces the added track by the one after it where it does not play', () => {
    const sleep: PlayerEvent = { type: 'setSleep', sleep: 'track' };
    const { state } = runEvents(before, [addNext, sleep, { type: 'ended' }, undo(9, before)]);
    expect(order(state)).toEqual([1, 2, 3, 4]);
    expect(state).toMatchObject({ activeTrack: { _id: toId(3) }, isPlaying: false });
  });

  it('leaves another list that plays since', () => {
    const source = { name: 'other', playlist: null };
    const other: PlayerEvent = { type: 'playFrom', source, tracks: [buildTrack(7)], index: 0, isOwn: true };
    const { state } = runEvents(before, [add(9), other, undo(9, before)]);
    expect(order(state)).toEqual([7]);
  });

  it('empties a queue that was empty', () => {
    expect(runEvents(emptyPlayer, [add(9), undo(9, emptyPlayer)]).state.activeTrack).toBeNull();
  });
});

describe('what suits the learner', () => {
  const suitability = [
    ['es', 'A1'],
    ['en', 'C1'],
    ['es', 'A2'],
    ['es', 'B1'],
    ['en', 'B2'],
  ] as const;
  const tracks = suitability.map(([language, level], index) => buildTrack(index + 1, { language, level }));

  describe('selectAround', () => {
    it.each([
      ['what suits the learner, around a track that suits', ['es', 'A1'], 1, [1, 3]],
      ['all of the language where no level was chosen', ['es', null], 1, [1, 3, 4]],
      ['all at the level where no language was chosen', [null, 'B2'], 2, [2, 4, 5]],
      ['what is like a track that does not suit', ['es', 'A1'], 2, [2, 5]],
      ['the same around a track of the language at another level', ['es', 'A1'], 4, [3, 4]],
      ['everything where nothing was chosen', [null, null], 2, [1, 2, 3, 4, 5]],
    ] as const)('plays %s', (_, [language, level], number, expected) => {
      const requested = tracks[number - 1] ?? buildTrack(0);
      expect(toNumbers(selectAround(requested, tracks, { language, level }))).toEqual(expected);
    });
  });

  describe('what plays next', () => {
    const source = { name: 'Stories', playlist: null };
    const request = { type: 'playFrom', source, tracks, index: 0 } as const;

    it.each([
      ['suits the learner', {}, [1, 3]],
      ['is the rest of a list that the user has composed', { isOwn: true }, [1, 2, 3, 4, 5]],
      ['is the rest of the list for a user who chose nothing', { learning: undefined }, [1, 2, 3, 4, 5]],
    ] as const)('[PLAY-02] %s', (_, changes, expected) => {
      const event: PlayerEvent = { ...request, learning: { language: 'es', level: 'A1' }, ...changes };
      const { state } = transition(emptyPlayer, event, createGate(true));
      expect(order(state)).toEqual(expected);
    });

    it('[PLAY-02] from the same source, what suits is added to the queue', () => {
      const [first] = tracks;
      const playing = buildPlaying(first ? [{ ...first, source: 'Stories', playlist: null }] : []);
      const { state } = runEvents(playing, [{ ...request, learning: { language: 'es', level: 'A1' } }]);
      expect(order(state)).toEqual([1, 3]);
    });

    it('[PLAY-04] the gate sees the index in the whole list', () => {
      const event: PlayerEvent = {
        type: 'playFrom',
        source: { name: 'Latest', playlist: 'latest' },
        tracks,
        index: 2,
        learning: { language: 'es', level: 'A2' },
      };
      const { effects } = transition(emptyPlayer, event, createGate(false));
      expect(effects).toEqual([{ type: 'refused', track: tracks[2] }]);
    });
  });
});
