import { describe, expect, it } from 'vitest';
import { buildPlaying, buildPlayingAt, buildTrack, latestSource, runEvents } from '../testing/fixtures.ts';
import { createGate } from './gate.ts';
import { findTrackToPreload } from './machine.ts';
import type { PlayerState } from './state.ts';

const tracks = [1, 2].map((number) => buildTrack(number, { duration: 300 }));
const playAt = (position: number) => buildPlayingAt(position, buildPlaying(tracks));

describe('the next track', () => {
  it.each<[string, PlayerState, number, boolean]>([
    ['not far from the end', playAt(100), 300, false],
    ['in the last minute of a completely loaded track', playAt(241), 299.5, true],
    ['not in the last minute while the track is loading', playAt(241), 280, false],
    ['in the last 15 seconds', playAt(286), 290, true],
    ['earlier at a higher speed', { ...playAt(200), speed: 2 }, 300, true],
    ['not while paused', runEvents(playAt(286), [{ type: 'pause' }]).state, 300, false],
    ['not when the sleep timer ends with the track', { ...playAt(286), sleep: 'track' }, 300, false],
    ['not when the sleep timer ends before', { ...playAt(286), sleep: 5 }, 300, false],
    ['when the sleep timer ends after', { ...playAt(286), sleep: 60 }, 300, true],
    ['not after the last track', buildPlayingAt(290, buildPlaying(tracks, 1)), 300, false],
  ])('[PLAY-06] is preloaded: %s', (_title, state, buffered, expected) => {
    expect(findTrackToPreload(state, buffered, createGate(true))?._id ?? null).toBe(
      expected ? tracks[1]?._id : null,
    );
  });

  it('[PLAY-04] is not preloaded before a closed gate', () => {
    const open = { ...playAt(290), queue: tracks.map((track) => ({ ...track, source: latestSource.name })) };
    expect(findTrackToPreload(open, 300, createGate(false))).toBeNull();
  });
});
