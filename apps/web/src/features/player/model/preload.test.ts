import { describe, expect, it } from 'vitest';
import { aTrack, latest } from '../testing/fixtures.ts';
import { at, playing, run } from '../testing/run-events.ts';
import { gateFor } from './gate.ts';
import type { PlayerState } from './player-state.ts';
import { comesNext } from './preload.ts';

const tracks = [1, 2].map((number) => aTrack(number, { duration: 300 }));
const late = (position: number) => at(position, playing(tracks));

describe('the next track', () => {
  it.each<[string, PlayerState, number, boolean]>([
    ['not long before the end', late(100), 300, false],
    ['in the last minute of one that is loaded whole', late(241), 299.5, true],
    ['not yet while the rest of this one is to come', late(241), 280, false],
    ['in the last quarter of a minute in any case', late(286), 290, true],
    ['sooner when it plays faster', { ...late(200), speed: 2 }, 300, true],
    ['not while it is paused', run(late(286), [{ type: 'pause' }]).state, 300, false],
    ['not when sleep comes with the end', { ...late(286), sleep: 'track' }, 300, false],
    ['not when sleep comes before the end', { ...late(286), sleep: 5 }, 300, false],
    ['when sleep comes after the end', { ...late(286), sleep: 60 }, 300, true],
    ['not after the last', at(290, playing(tracks, 1)), 300, false],
  ])('[PLAY-06] is made ready: %s', (_when, state, buffered, expected) => {
    expect(comesNext(state, buffered, gateFor(true))?._id ?? null).toBe(expected ? tracks[1]?._id : null);
  });

  it('[PLAY-04] is not made ready where it is locked', () => {
    const open = { ...late(290), queue: tracks.map((track) => ({ ...track, source: latest.name })) };
    expect(comesNext(open, 300, gateFor(false))).toBeNull();
  });
});
