import { describe, expect, it } from 'vitest';
import { buildPlaying, buildPlayingAt, buildTick, runEvents } from '../testing/fixtures.ts';
import { createGate } from './gate.ts';
import { transition } from './machine.ts';
import { getTabPosition, getTabSignal } from './remote-progress.ts';
import { emptyPlayer, type PlayerEvent, type PlayerState } from './state.ts';
import { toPersistedPlayer } from './stored.ts';

const paused = runEvents(buildPlaying(), [{ type: 'pause' }]).state;
const nearSave: PlayerState = { ...buildPlayingAt(20), unsavedSeconds: 4 };

describe('several tabs', () => {
  it.each<[string, PlayerState, PlayerEvent, string | null]>([
    ['begins on play', paused, { type: 'play' }, 'begins'],
    ['goesOn on every save', nearSave, buildTick(25), 'goesOn'],
    ['goesOn on another track', buildPlayingAt(20), { type: 'next', removeFromContinue: true }, 'goesOn'],
    ['nothing as time passes', buildPlayingAt(20), buildTick(21), null],
    ['nothing on pause', buildPlayingAt(20), { type: 'pause' }, null],
    ['nothing on changes while paused', paused, { type: 'seek', position: 7 }, null],
  ])('[PLAY-01] signals other tabs: %s', (_title, before, event, signal) => {
    expect(getTabSignal(before, transition(before, event, createGate(true)))).toBe(signal);
  });

  it.each<[string, PlayerState, PlayerEvent, number | null]>([
    ['on every save', nearSave, buildTick(25), 25],
    ['on pause', buildPlayingAt(20), { type: 'pause' }, 20],
    ['0 at the end', buildPlayingAt(99), { type: 'ended' }, 0],
    ['nothing as time passes', buildPlayingAt(20), buildTick(21), null],
    ['nothing while paused', paused, { type: 'seek', position: 7 }, null],
  ])('[PLAY-05] posts its position to other tabs: %s', (_title, before, event, position) => {
    const posted = getTabPosition(before, transition(before, event, createGate(true)));
    expect(posted?.position ?? null).toBe(position);
  });

  it('[PLAY-05] follows the position of another tab unless it plays', () => {
    const moved = { type: 'otherTabMoved', id: buildPlaying().activeTrack?._id ?? '', position: 70 } as const;
    expect(runEvents(buildPlayingAt(20), [moved])).toMatchObject({ state: { progress: 20 }, done: [] });
    expect(runEvents(paused, [moved])).toMatchObject({ state: { progress: 70 }, done: ['seek'] });
  });

  it('[PLAY-01] pauses and saves when another tab begins to play', () => {
    const { state, done } = runEvents(buildPlayingAt(42), [{ type: 'otherTabPlaying', signal: 'begins' }]);
    expect(state).toMatchObject({ isPlaying: false, phase: 'paused', progress: 42, error: null });
    expect(done).toEqual(['pause', 'saveProgress']);
  });

  it('[PLAY-01] ignores goesOn of another tab while it plays', () => {
    expect(runEvents(buildPlayingAt(42), [{ type: 'otherTabPlaying', signal: 'goesOn' }])).toMatchObject({
      state: { isPlaying: true, isPlayingInOtherTab: false },
      done: [],
    });
  });

  it.each(['begins', 'goesOn'] as const)(
    '[PLAY-01] after "%s" a paused tab persists nothing until it plays',
    (signal) => {
      const yielded = runEvents(paused, [{ type: 'otherTabPlaying', signal }]).state;
      expect(toPersistedPlayer(yielded)).toBeNull();
      expect(toPersistedPlayer(runEvents(yielded, [{ type: 'setVolume', volume: 0.4 }]).state)).toBeNull();
      expect(toPersistedPlayer(runEvents(yielded, [{ type: 'reset' }]).state)).toBeNull();
      const resumed = runEvents(yielded, [{ type: 'play' }]).state;
      expect(toPersistedPlayer(resumed)).toMatchObject({ isPlaying: true });
    },
  );

  it('[PLAY-01] an empty player stays empty when another tab begins', () => {
    const { state, done } = runEvents(emptyPlayer, [{ type: 'otherTabPlaying', signal: 'begins' }]);
    expect(state).toEqual({ ...emptyPlayer, isPlayingInOtherTab: true });
    expect(done).toEqual([]);
  });
});
