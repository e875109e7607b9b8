import { describe, expect, it } from 'vitest';
import { buildTrack } from '../testing/fixtures.ts';
import { createGate, getRetryEvent } from './gate.ts';
import { emptyPlayer } from './state.ts';

describe('the gate', () => {
  it.each([
    [true, 'Stories', 0, 'open'],
    [true, 'Stories', 7, 'open'],
    [true, 'Latest articles', 0, 'open'],
    [false, 'Latest articles', 0, 'alone'],
    [false, 'The Latest', 0, 'alone'],
    [false, 'Latest articles', 1, 'closed'],
    [false, 'latest articles', 0, 'closed'],
    [false, 'Stories', 0, 'closed'],
    [false, 'Latest articles', -1, 'closed'],
  ] as const)('[PLAY-04] subscribed %s, source %s, item %i: %s', (isSubscribed, source, index, verdict) => {
    expect(createGate(isSubscribed)({ source, index })).toBe(verdict);
  });

  it.each([
    [false, 'Latest articles', 'withheld', 'closed'],
    [false, 'Track 1', 'granted', 'alone'],
    [true, 'Stories', 'withheld', 'open'],
  ] as const)(
    '[PLAY-04] subscribed %s, source %s, access %s: %s',
    (isSubscribed, source, access, verdict) => {
      expect(createGate(isSubscribed)({ source, index: 0, access })).toBe(verdict);
    },
  );
});

describe('the retry of a refused track', () => {
  const [one, two] = [buildTrack(1), buildTrack(2)];
  const state = { ...emptyPlayer, queue: [one, two], activeTrack: one };
  const request = {
    type: 'playFrom',
    source: { name: 'Stories', playlist: null },
    tracks: [two],
    index: 0,
  } as const;

  it.each([
    ['from a list repeats the request', request, two, request],
    ['of the active track plays it', { type: 'toggle' }, one, { type: 'play' }],
    [
      'of another track in the queue skips to it',
      { type: 'next', removeFromContinue: false },
      two,
      { type: 'skipTo', index: 1 },
    ],
    [
      'of a track that has left the queue does nothing',
      { type: 'previous' },
      buildTrack(3),
      { type: 'skipTo', index: -1 },
    ],
  ] as const)('[PLAY-04] %s', (_, event, track, retry) => {
    expect(getRetryEvent(event, track, state)).toEqual(retry);
  });
});
