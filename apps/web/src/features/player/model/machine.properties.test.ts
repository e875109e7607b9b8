import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildTrack, latestSource, listSource } from '../testing/fixtures.ts';
import { createGate } from './gate.ts';
import { transition } from './machine.ts';
import { emptyPlayer, type PlayerEvent, type PlayerState } from './state.ts';

const position = fc.oneof(
  fc.double({ min: -50, max: 200 }),
  fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY),
);
const track = fc
  .tuple(fc.integer({ min: 1, max: 6 }), fc.boolean(), fc.integer({ min: 0, max: 100 }))
  .map(([number, isSigned, progress]) => buildTrack(number, { progress, ...(!isSigned && { url: null }) }));
const tracks = fc.array(track, { maxLength: 5 });
const source = fc.constantFrom(listSource, latestSource);
const index = fc.integer({ min: -1, max: 5 });

const id = track.map(({ _id }) => _id);
const modes = ['loop', 'speedLadder', 'pauseAfterSentence'] as const;
const someSpans = [0, 20, 40, 60].map((start) => ({ start, end: start + 18 }));

const plainTypes = [
  'play',
  'pause',
  'toggle',
  'previous',
  'reset',
  'cycleSpeed',
  'toggleMute',
  'pageHidden',
] as const;
const elementTypes = [
  'ready',
  'started',
  'stalled',
  'elementPaused',
  'ended',
  'timedOut',
  'refusedByServer',
] as const;

const event: fc.Arbitrary<PlayerEvent> = fc.oneof(
  fc.record({
    type: fc.constant('enqueue' as const),
    track,
    at: fc.constantFrom('next' as const, 'end' as const),
  }),
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('playFrom' as const),
      source,
      tracks,
      index,
      restart: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.constantFrom(...plainTypes).map((type) => ({ type })) },
  { weight: 4, arbitrary: fc.constantFrom(...elementTypes).map((type) => ({ type })) },
  fc.record({ type: fc.constant('next' as const), removeFromContinue: fc.boolean() }),
  fc.record({ type: fc.constant('skipTo' as const), index }),
  fc.record({
    type: fc.constant('otherTabPlaying' as const),
    signal: fc.constantFrom('begins' as const, 'goesOn' as const),
  }),
  fc.record({
    type: fc.constant('otherTabMoved' as const),
    id,
    position: fc.double({ min: 0, max: 300, noNaN: true }),
  }),
  fc.record({
    type: fc.constant('remoteIsAhead' as const),
    id,
    position: fc.double({ min: 0, max: 300, noNaN: true }),
    deviceKind: fc.constant(null),
  }),
  fc.record({
    type: fc.constantFrom('systemResumed' as const, 'networkRestored' as const),
    seconds: fc.constantFrom(20, 400, 8 * 3600),
  }),
  fc.record({ type: fc.constant('urlReceived' as const), id, url: fc.constant('/fresh.mp3') }),
  fc.record({ type: fc.constantFrom('remove' as const, 'playNext' as const), id }),
  fc.record({ type: fc.constant('move' as const), id, index }),
  fc.record({ type: fc.constant('setSpeed' as const), speed: position }),
  fc.record({
    type: fc.constant('setSleep' as const),
    sleep: fc.constantFrom(null, 'track' as const, 2, 30),
  }),
  fc.record({ type: fc.constant('togglePractice' as const), mode: fc.constantFrom(...modes) }),
  fc.record({ type: fc.constant('sentencesLoaded' as const), id, spans: fc.constant(someSpans) }),
  fc.record({
    type: fc.constant('stepSentence' as const),
    direction: fc.constantFrom(1 as const, -1 as const),
  }),
  fc.record({ type: fc.constant('seek' as const), position }),
  fc.record({ type: fc.constant('skipBy' as const), seconds: fc.constantFrom(-15, 15) }),
  fc.record({ type: fc.constant('setVolume' as const), volume: position }),
  fc.record({ type: fc.constant('time' as const), position }),
  fc.record({ type: fc.constant('tick' as const), position, seconds: fc.nat(3) }),
  fc.record({
    type: fc.constant('failed' as const),
    error: fc.constantFrom('network' as const, 'blocked' as const),
  }),
  fc.record({
    type: fc.constant('remotePositionsReceived' as const),
    positions: fc.dictionary(
      track.map(({ _id }) => _id),
      fc.double({ min: 0, max: 300, noNaN: true }),
    ),
  }),
);

fc.configureGlobal({ numRuns: 300 });

const runs = fc.array(fc.tuple(event, fc.boolean()), { maxLength: 40 });

/** Runs events, each with or without a subscription, and checks every step. */
function checkEach(
  run: [PlayerEvent, boolean][],
  check: (
    before: PlayerState,
    after: PlayerState,
    event: PlayerEvent,
    isSubscribed: boolean,
    effects: string[],
  ) => void,
) {
  let state = emptyPlayer;
  for (const [event, isSubscribed] of run) {
    const next = transition(state, event, createGate(isSubscribed));
    check(
      state,
      next.state,
      event,
      isSubscribed,
      next.effects.map(({ type }) => type),
    );
    state = next.state;
  }
}

describe('after any events', () => {
  it('the active track is in the queue; without one the queue is empty', () => {
    fc.assert(
      fc.property(runs, (run) =>
        checkEach(run, (_, { queue, activeTrack }) => {
          expect(queue.some((one) => one._id === activeTrack?._id)).toBe(queue.length > 0);
          expect(activeTrack === null).toBe(queue.length === 0);
          expect(new Set(queue.map(({ _id }) => _id)).size).toBe(queue.length);
          expect(new Set(queue.map((one) => one.source)).size).toBeLessThanOrEqual(1);
        }),
      ),
    );
  });

  it('progress stays within the track, volume within 0.01 and 1', () => {
    fc.assert(
      fc.property(runs, (run) =>
        checkEach(run, (_, { progress, activeTrack, volume }) => {
          expect(progress).toBeGreaterThanOrEqual(0);
          expect(progress).toBeLessThanOrEqual(activeTrack?.duration ?? 0);
          expect(volume).toBeGreaterThanOrEqual(0.01);
          expect(volume).toBeLessThanOrEqual(1);
        }),
      ),
    );
  });

  it('speed is 0.5 to 2, sleep is positive, practice has a valid sentence', () => {
    fc.assert(
      fc.property(runs, (run) =>
        checkEach(run, (_, { speed, usualSpeed, sleep, practice, spans }) => {
          for (const one of [speed, usualSpeed]) expect(one >= 0.5 && one <= 2).toBe(true);
          if (typeof sleep === 'number') expect(sleep).toBeGreaterThan(0);
          if (practice) expect(practice.sentence >= -1 && practice.sentence <= spans.length).toBe(true);
        }),
      ),
    );
  });

  it('[PLAY-07] restoreQueue undoes any change of the queue', () => {
    fc.assert(
      fc.property(runs, event, (run, change) => {
        let before = emptyPlayer;
        checkEach(run, (_, after) => {
          before = after;
        });
        if (!['move', 'playNext', 'remove', 'reset'].includes(change.type) || !before.activeTrack) return;
        const changed = transition(before, change, createGate(true)).state;
        const { queue, activeTrack } = before;
        const restore = { type: 'restoreQueue' as const, queue, activeId: activeTrack._id };
        const after = transition(changed, restore, createGate(true)).state;
        expect(after.queue.map(({ _id }) => _id)).toEqual(queue.map(({ _id }) => _id));
        expect(after.activeTrack?._id).toBe(activeTrack._id);
      }),
    );
  });

  it('isPlaying implies that audio is loaded or loading', () => {
    fc.assert(
      fc.property(runs, (run) =>
        checkEach(run, (_, { isPlaying, phase, error, isInterrupted }) => {
          if (isPlaying) expect(['loading', 'playing', 'buffering']).toContain(phase);
          if (phase === 'playing') expect(isPlaying).toBe(true);
          if (isInterrupted) expect(['loading', 'error']).toContain(phase);
          expect(error !== null).toBe(phase === 'error');
        }),
      ),
    );
  });

  it('[PLAY-04] without a subscription only the first of a Latest source is loaded', () => {
    fc.assert(
      fc.property(runs, (run) =>
        checkEach(run, (before, after, event, isSubscribed, effects) => {
          const isNew = after.activeTrack?._id !== before.activeTrack?._id;
          if (isSubscribed || !isNew || !effects.includes('load')) return;
          expect(after.activeTrack?.source).toContain('Latest');
          if (event.type === 'playFrom') expect(after.queue).toHaveLength(1);
          else expect(after.queue[0]?._id).toBe(after.activeTrack?._id);
        }),
      ),
    );
  });
});
