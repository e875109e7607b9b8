import { describe, expect, it } from 'vitest';
import { buildTrack, latest } from '../testing/fixtures.ts';
import { buildPlaying, buildPlayingAt, runEvents } from '../testing/run-events.ts';
import { createGate } from './gate.ts';
import { findTrackToPreload } from './preload.ts';
import type { PlayerState } from './state.ts';

const tracks = [1, 2].map((number) => buildTrack(number, { duration: 300 }));
const late = (position: number) => buildPlayingAt(position, buildPlaying(tracks));

describe('the next track', () => {
  it.each<[string, PlayerState, number, boolean]>([
    ['not long before the end', late(100), 300, false],
    ['in the last minute of one that is loaded whole', late(241), 299.5, true],
    ['not yet while the rest of this one is to come', late(241), 280, false],
    ['in the last quarter of a minute in any case', late(286), 290, true],
    ['sooner when it plays faster', { ...late(200), speed: 2 }, 300, true],
    ['not while it is paused', runEvents(late(286), [{ type: 'pause' }]).state, 300, false],
    ['not when sleep comes with the end', { ...late(286), sleep: 'track' }, 300, false],
    ['not when sleep comes before the end', { ...late(286), sleep: 5 }, 300, false],
    ['when sleep comes after the end', { ...late(286), sleep: 60 }, 300, true],
    ['not after the last', buildPlayingAt(290, buildPlaying(tracks, 1)), 300, false],
  ])('[PLAY-06] is made ready: %s', (_when, state, buffered, expected) => {
    expect(findTrackToPreload(state, buffered, createGate(true))?._id ?? null).toBe(
      expected ? tracks[1]?._id : null,
    );
  });

  it('[PLAY-04] is not made ready where it is locked', () => {
    const open = { ...late(290), queue: tracks.map((track) => ({ ...track, source: latest.name })) };
    expect(findTrackToPreload(open, 300, createGate(false))).toBeNull();
  });
});
