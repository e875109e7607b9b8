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

const remotePosition = fc.double({ min: 0, max: 300, noNaN: true });

const build = <const Type extends string, Fields extends object>(
  type: Type,
  fields: { [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> },
) => fc.record<Fields>(fields).map((values) => ({ type, ...values }));

const event: fc.Arbitrary<PlayerEvent> = fc.oneof(
  build('enqueue', { track, at: fc.constantFrom('next', 'end') }),
  { weight: 3, arbitrary: build('playFrom', { source, tracks, index, restart: fc.boolean() }) },
  { weight: 3, arbitrary: fc.constantFrom(...plainTypes).map((type) => ({ type })) },
  { weight: 4, arbitrary: fc.constantFrom(...elementTypes).map((type) => ({ type })) },
  build('next', { removeFromContinue: fc.boolean() }),
  build('skipTo', { index }),
  build('otherTabPlaying', { signal: fc.constantFrom('begins', 'goesOn') }),
  build('otherTabMoved', { id, position: remotePosition }),
  build('remoteIsAhead', { id, position: remotePosition, deviceKind: fc.constant(null) }),
  fc.record({
    type: fc.constantFrom('systemResumed', 'networkRestored'),
    seconds: fc.constantFrom(20, 400, 8 * 3600),
  }),
  build('urlReceived', { id, url: fc.constant('/fresh.mp3') }),
  fc.record({ type: fc.constantFrom('remove', 'playNext'), id }),
  build('move', { id, index }),
  build('setSpeed', { speed: position }),
  build('setSleep', { sleep: fc.constantFrom(null, 'track' as const, 2, 30) }),
  build('togglePractice', { mode: fc.constantFrom(...modes) }),
  build('sentencesLoaded', { id, spans: fc.constant(someSpans) }),
  build('stepSentence', { direction: fc.constantFrom(1, -1) }),
  build('seek', { position }),
  build('skipBy', { seconds: fc.constantFrom(-15, 15) }),
  build('setVolume', { volume: position }),
  build('time', { position }),
  build('tick', { position, seconds: fc.nat(3) }),
  build('failed', { error: fc.constantFrom('network', 'blocked') }),
  build('remotePositionsReceived', { positions: fc.dictionary(id, remotePosition) }),
);

fc.configureGlobal({ numRuns: 300 });

const runs = fc.array(fc.tuple(event, fc.boolean()), { maxLength: 40 });

interface Step {
  before: PlayerState;
  event: PlayerEvent;
  isSubscribed: boolean;
  effects: string[];
}

/** Runs events, each with or without a subscription, and checks every step. Returns the last state. */
function checkEach(run: [PlayerEvent, boolean][], check: (after: PlayerState, step: Step) => void) {
  let state = emptyPlayer;
  for (const [event, isSubscribed] of run) {
    const next = transition(state, event, createGate(isSubscribed));
    const effects = next.effects.map(({ type }) => type);
    check(next.state, { before: state, event, isSubscribed, effects });
    state = next.state;
  }
  return state;
}

/** Checks every step of random events. */
const checkAll = (check: (after: PlayerState, step: Step) => void) =>
  fc.assert(fc.property(runs, (run) => void checkEach(run, check)));

describe('after any events', () => {
  it('the active track is in the queue; without one the queue is empty', () => {
    checkAll(({ queue, activeTrack }) => {
      expect(queue.some((one) => one._id === activeTrack?._id)).toBe(queue.length > 0);
      expect(activeTrack === null).toBe(queue.length === 0);
      expect(new Set(queue.map(({ _id }) => _id)).size).toBe(queue.length);
      expect(new Set(queue.map((one) => one.source)).size).toBeLessThanOrEqual(1);
    });
  });

  it('progress stays within the track, volume within 0.01 and 1', () => {
    checkAll(({ progress, activeTrack, volume }) => {
      expect(progress).toBeGreaterThanOrEqual(0);
      expect(progress).toBeLessThanOrEqual(activeTrack?.duration ?? 0);
      expect(volume).toBeGreaterThanOrEqual(0.01);
      expect(volume).toBeLessThanOrEqual(1);
    });
  });

  it('speed is 0.5 to 2, sleep is positive, practice has a valid sentence', () => {
    checkAll(({ speed, usualSpeed, sleep, practice, spans }) => {
      for (const one of [speed, usualSpeed]) expect(one >= 0.5 && one <= 2).toBe(true);
      if (typeof sleep === 'number') expect(sleep).toBeGreaterThan(0);
      if (practice) expect(practice.sentence >= -1 && practice.sentence <= spans.length).toBe(true);
    });
  });

  it('[PLAY-07] restoreQueue undoes any change of the queue', () => {
    fc.assert(
      fc.property(runs, event, (run, change) => {
        const before = checkEach(run, () => {});
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
    checkAll(({ isPlaying, phase, error, isInterrupted }) => {
      if (isPlaying) expect(['loading', 'playing', 'buffering']).toContain(phase);
      if (phase === 'playing') expect(isPlaying).toBe(true);
      if (isInterrupted) expect(['loading', 'error']).toContain(phase);
      expect(error !== null).toBe(phase === 'error');
    });
  });

  it('[PLAY-04] without a subscription only the first of a Latest source is loaded', () => {
    checkAll((after, { before, event, isSubscribed, effects }) => {
      const isNew = after.activeTrack?._id !== before.activeTrack?._id;
      if (isSubscribed || !isNew || !effects.includes('load')) return;
      expect(after.activeTrack?.source).toContain('Latest');
      if (event.type === 'playFrom') expect(after.queue).toHaveLength(1);
      else expect(after.queue[0]?._id).toBe(after.activeTrack?._id);
    });
  });
});
