import { describe, expect, it } from 'vitest';
import { merged } from './policy.ts';

const far = { position: 600, listed: true };
const fresh = { position: 0, listed: false };
const finished = { position: 600, listed: false };
const duration = 1000;

describe('merged', () => {
  it.each([
    ['the first tick is kept', fresh, 'tick', 12, { position: 12, listed: true }],
    ['pressing play lists the track', fresh, 'play', 0, { position: 0, listed: true }],
    ['a pause keeps the place', far, 'pause', 720, { position: 720, listed: true }],
    ['a pause further back keeps that place', far, 'pause', 300, { position: 300, listed: true }],
    ['a tick further back is believed', far, 'tick', 90, { position: 90, listed: true }],
    ['a seek to the beginning is meant', far, 'seek', 0, { position: 0, listed: true }],
    ['a pause at the beginning is meant', far, 'pause', 0, { position: 0, listed: true }],
    ['a tick at the beginning does not lose a far place', far, 'tick', 0, far],
    ['nor does play', far, 'play', 0, far],
    ['nor does a page that is hidden', far, 'hide', 4.9, far],
    ['five seconds in it is a place', far, 'tick', 5, { position: 5, listed: true }],
    [
      'a near place is not worth keeping',
      { position: 30, listed: true },
      'tick',
      1,
      { position: 1, listed: true },
    ],
    ['play brings a taken-out track back, at its place', finished, 'play', 0, far],
    ['a skip takes it out and keeps the place', far, 'skip', 640, { position: 640, listed: false }],
    ['the end takes it out; it begins anew', far, 'ended', 1000, { position: 0, listed: false }],
    ['no place lies after the end', far, 'pause', 5000, { position: 1000, listed: true }],
  ] as const)('[PLAY-05] %s', (_name, place, cause, position, expected) => {
    const entry = { sequence: 1, position, cause };
    expect(merged(place, entry, { lastSequence: null, duration })).toEqual(expected);
  });

  it.each([
    ['a higher sequence counts', 5, 6, { position: 700, listed: true }],
    ['a lower one never does', 5, 4, undefined],
    ['nor does the same', 5, 5, undefined],
    ['a device’s first counts', null, 1, { position: 700, listed: true }],
  ])('[PLAY-05] from one device, %s', (_name, lastSequence, sequence, expected) => {
    const entry = { sequence, position: 700, cause: 'pause' } as const;
    expect(merged(far, entry, { lastSequence, duration })).toEqual(expected);
  });

  it('[PLAY-05] not even the end or a skip counts when it comes too late', () => {
    for (const cause of ['ended', 'skip'] as const) {
      expect(merged(far, { sequence: 2, position: 9, cause }, { lastSequence: 3, duration })).toBeUndefined();
    }
  });
});
