import { describe, expect, it } from 'vitest';
import { at, playing, run, tick } from '../testing/run-events.ts';
import { gateFor } from './gate.ts';
import { step } from './player-machine.ts';
import { emptyPlayer, type PlayerEvent, type PlayerState } from './player-state.ts';
import { kept } from './stored.ts';
import { placeToTabs, wordToTabs } from './tabs.ts';

const paused = run(playing(), [{ type: 'pause' }]).state;
const nearSave: PlayerState = { ...at(20), unsaved: 4 };

describe('several tabs', () => {
  it.each<[string, PlayerState, PlayerEvent, string | null]>([
    ['that it begins, when play is pressed', paused, { type: 'play' }, 'begins'],
    ['that it goes on, with every save', nearSave, tick(25), 'goesOn'],
    ['that it goes on, with another track', at(20), { type: 'next', removeFromContinue: true }, 'goesOn'],
    ['nothing of time that passes', at(20), tick(21), null],
    ['nothing when it is paused', at(20), { type: 'pause' }, null],
    ['nothing of what is done while it is silent', paused, { type: 'seek', position: 7 }, null],
  ])('[PLAY-01] the others are told %s', (_what, before, event, word) => {
    expect(wordToTabs(before, step(before, event, gateFor(true)))).toBe(word);
  });

  it.each<[string, PlayerState, PlayerEvent, number | null]>([
    ['with every save', nearSave, tick(25), 25],
    ['when it is paused', at(20), { type: 'pause' }, 20],
    ['when it is over, to begin anew', at(99), { type: 'ended' }, 0],
    ['not as time passes', at(20), tick(21), null],
    ['not while it is silent', paused, { type: 'seek', position: 7 }, null],
  ])('[PLAY-05] the others are told where it is: %s', (_what, before, event, position) => {
    const told = placeToTabs(before, step(before, event, gateFor(true)));
    expect(told?.position ?? null).toBe(position);
  });

  it('[PLAY-05] what sounds here is left alone', () => {
    const moved = { type: 'movedElsewhere', id: playing().activeTrack?._id ?? '', position: 70 } as const;
    expect(run(at(20), [moved])).toMatchObject({ state: { progress: 20 }, done: [] });
    expect(run(paused, [moved])).toMatchObject({ state: { progress: 70 }, done: ['seek'] });
  });

  it('[PLAY-01] one that plays is paused, its place saved, when another begins', () => {
    const { state, done } = run(at(42), [{ type: 'heardElsewhere', word: 'begins' }]);
    expect(state).toMatchObject({ isPlaying: false, phase: 'paused', progress: 42, fault: null });
    expect(done).toEqual(['pause', 'saveProgress']);
  });

  it('[PLAY-01] one that has just begun is not silenced by what another said before it knew', () => {
    expect(run(at(42), [{ type: 'heardElsewhere', word: 'goesOn' }])).toMatchObject({
      state: { isPlaying: true, isElsewhere: false },
      done: [],
    });
  });

  it.each(['begins', 'goesOn'] as const)(
    '[PLAY-01] the tab that played last keeps the queue: after "%s" a silent one keeps nothing until it plays',
    (word) => {
      const silent = run(paused, [{ type: 'heardElsewhere', word }]).state;
      expect(kept(silent)).toBeNull();
      expect(kept(run(silent, [{ type: 'setVolume', volume: 0.4 }]).state)).toBeNull();
      const back = run(silent, [{ type: 'play' }]).state;
      expect(kept(back)).toMatchObject({ isPlaying: true });
    },
  );

  it('[PLAY-01] an empty tab that hears another stays as it is', () => {
    const { state, done } = run(emptyPlayer, [{ type: 'heardElsewhere', word: 'begins' }]);
    expect(state).toEqual({ ...emptyPlayer, isElsewhere: true });
    expect(done).toEqual([]);
  });
});
