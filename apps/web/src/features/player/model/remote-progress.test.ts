import { describe, expect, it } from 'vitest';
import { buildPlaying, buildPlayingAt, buildTick, runEvents } from '../testing/run-events.ts';
import { createGate } from './gate.ts';
import { transition } from './machine.ts';
import { getTabPosition, getTabSignal } from './remote-progress.ts';
import { emptyPlayer, type PlayerEvent, type PlayerState } from './state.ts';
import { toPersistedPlayer } from './stored.ts';

const paused = runEvents(buildPlaying(), [{ type: 'pause' }]).state;
const nearSave: PlayerState = { ...buildPlayingAt(20), unsavedSeconds: 4 };

describe('several tabs', () => {
  it.each<[string, PlayerState, PlayerEvent, string | null]>([
    ['that it begins, when play is pressed', paused, { type: 'play' }, 'begins'],
    ['that it goes on, with every save', nearSave, buildTick(25), 'goesOn'],
    [
      'that it goes on, with another track',
      buildPlayingAt(20),
      { type: 'next', removeFromContinue: true },
      'goesOn',
    ],
    ['nothing of time that passes', buildPlayingAt(20), buildTick(21), null],
    ['nothing when it is paused', buildPlayingAt(20), { type: 'pause' }, null],
    ['nothing of what is done while it is silent', paused, { type: 'seek', position: 7 }, null],
  ])('[PLAY-01] the others are told %s', (_what, before, event, signal) => {
    expect(getTabSignal(before, transition(before, event, createGate(true)))).toBe(signal);
  });

  it.each<[string, PlayerState, PlayerEvent, number | null]>([
    ['with every save', nearSave, buildTick(25), 25],
    ['when it is paused', buildPlayingAt(20), { type: 'pause' }, 20],
    ['when it is over, to begin anew', buildPlayingAt(99), { type: 'ended' }, 0],
    ['not as time passes', buildPlayingAt(20), buildTick(21), null],
    ['not while it is silent', paused, { type: 'seek', position: 7 }, null],
  ])('[PLAY-05] the others are told where it is: %s', (_what, before, event, position) => {
    const told = getTabPosition(before, transition(before, event, createGate(true)));
    expect(told?.position ?? null).toBe(position);
  });

  it('[PLAY-05] what sounds here is left alone', () => {
    const moved = { type: 'otherTabMoved', id: buildPlaying().activeTrack?._id ?? '', position: 70 } as const;
    expect(runEvents(buildPlayingAt(20), [moved])).toMatchObject({ state: { progress: 20 }, done: [] });
    expect(runEvents(paused, [moved])).toMatchObject({ state: { progress: 70 }, done: ['seek'] });
  });

  it('[PLAY-01] one that plays is paused, its place saved, when another begins', () => {
    const { state, done } = runEvents(buildPlayingAt(42), [{ type: 'otherTabPlaying', signal: 'begins' }]);
    expect(state).toMatchObject({ isPlaying: false, phase: 'paused', progress: 42, error: null });
    expect(done).toEqual(['pause', 'saveProgress']);
  });

  it('[PLAY-01] one that has just begun is not silenced by what another said before it knew', () => {
    expect(runEvents(buildPlayingAt(42), [{ type: 'otherTabPlaying', signal: 'goesOn' }])).toMatchObject({
      state: { isPlaying: true, isPlayingInOtherTab: false },
      done: [],
    });
  });

  it.each(['begins', 'goesOn'] as const)(
    '[PLAY-01] the tab that played last keeps the queue: after "%s" a silent one keeps nothing until it plays',
    (signal) => {
      const silent = runEvents(paused, [{ type: 'otherTabPlaying', signal }]).state;
      expect(toPersistedPlayer(silent)).toBeNull();
      expect(toPersistedPlayer(runEvents(silent, [{ type: 'setVolume', volume: 0.4 }]).state)).toBeNull();
      const back = runEvents(silent, [{ type: 'play' }]).state;
      expect(toPersistedPlayer(back)).toMatchObject({ isPlaying: true });
    },
  );

  it('[PLAY-01] an empty tab that hears another stays as it is', () => {
    const { state, done } = runEvents(emptyPlayer, [{ type: 'otherTabPlaying', signal: 'begins' }]);
    expect(state).toEqual({ ...emptyPlayer, isPlayingInOtherTab: true });
    expect(done).toEqual([]);
  });
});
