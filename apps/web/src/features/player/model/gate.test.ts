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
});

describe('once the gate is open, the refused track plays', () => {
  const [one, two] = [buildTrack(1), buildTrack(2)];
  const state = { ...emptyPlayer, queue: [one, two], activeTrack: one };
  const asked = {
    type: 'playFrom',
    source: { name: 'Stories', playlist: null },
    tracks: [two],
    index: 0,
  } as const;

  it.each([
    ['from a list: the list is played as asked', asked, two, asked],
    ['the active one: it plays', { type: 'toggle' }, one, { type: 'play' }],
    [
      'another of the queue: the player goes there',
      { type: 'next', removeFromContinue: false },
      two,
      { type: 'skipTo', index: 1 },
    ],
    [
      'one that has left the queue: nothing plays',
      { type: 'previous' },
      buildTrack(3),
      { type: 'skipTo', index: -1 },
    ],
  ] as const)('[PLAY-04] %s', (_, event, track, after) => {
    expect(getRetryEvent(event, track, state)).toEqual(after);
  });
});
