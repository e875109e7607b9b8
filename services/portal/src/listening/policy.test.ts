import { describe, expect, it } from 'vitest';
import { merged } from './policy.ts';

const deviceKind = null;
const far = { position: 600, listed: true, deviceKind };
const fresh = { position: 0, listed: false, deviceKind };
const finished = { position: 600, listed: false, deviceKind };
const duration = 1000;

describe('merged', () => {
  it.each([
    ['the first tick is kept', fresh, 'tick', 12, { position: 12, listed: true, deviceKind }],
    ['pressing play lists the track', fresh, 'play', 0, { position: 0, listed: true, deviceKind }],
    ['a pause keeps the place', far, 'pause', 720, { position: 720, listed: true, deviceKind }],
    ['a pause further back keeps that place', far, 'pause', 300, { position: 300, listed: true, deviceKind }],
    ['a tick further back is believed', far, 'tick', 90, { position: 90, listed: true, deviceKind }],
    ['a seek to the beginning is meant', far, 'seek', 0, { position: 0, listed: true, deviceKind }],
    ['a pause at the beginning is meant', far, 'pause', 0, { position: 0, listed: true, deviceKind }],
    ['a tick at the beginning does not lose a far place', far, 'tick', 0, far],
    ['nor does play', far, 'play', 0, far],
    ['nor does a page that is hidden', far, 'hide', 4.9, far],
    ['five seconds in it is a place', far, 'tick', 5, { position: 5, listed: true, deviceKind }],
    [
      'a near place is not worth keeping',
      { position: 30, listed: true, deviceKind },
      'tick',
      1,
      { position: 1, listed: true, deviceKind },
    ],
    ['play brings a taken-out track back, at its place', finished, 'play', 0, far],
    [
      'a skip takes it out and keeps the place',
      far,
      'skip',
      640,
      { position: 640, listed: false, deviceKind },
    ],
    ['the end takes it out; it begins anew', far, 'ended', 1000, { position: 0, listed: false, deviceKind }],
    ['no place lies after the end', far, 'pause', 5000, { position: 1000, listed: true, deviceKind }],
  ] as const)('[PLAY-05] %s', (_name, place, cause, position, expected) => {
    const entry = { sequence: 1, position, cause };
    expect(merged(place, entry, { lastSequence: null, duration })).toEqual(expected);
  });

  it.each([
    ['a higher sequence counts', 5, 6, { position: 700, listed: true, deviceKind }],
    ['a lower one never does', 5, 4, undefined],
    ['nor does the same', 5, 5, undefined],
    ['a device’s first counts', null, 1, { position: 700, listed: true, deviceKind }],
  ])('[PLAY-05] from one device, %s', (_name, lastSequence, sequence, expected) => {
    const entry = { sequence, position: 700, cause: 'pause' } as const;
    expect(merged(far, entry, { lastSequence, duration })).toEqual(expected);
  });

  it.each([
    ['a place says what kind of device wrote it', 'tick', 300, 'phone', 'phone'],
    ['one that does not say leaves none', 'tick', 300, undefined, null],
    ['who loses no place writes none', 'play', 0, 'phone', 'tablet'],
    ['the end is written by a device too', 'ended', 1000, 'computer', 'computer'],
  ] as const)('[PLAY-05] %s', (_name, cause, position, said, expected) => {
    const entry = { sequence: 1, position, cause, ...(said && { deviceKind: said }) };
    const place = { ...far, deviceKind: 'tablet' } as const;
    expect(merged(place, entry, { lastSequence: null, duration })?.deviceKind).toBe(expected);
  });

  it('[PLAY-05] not even the end or a skip counts when it comes too late', () => {
    for (const cause of ['ended', 'skip'] as const) {
      expect(merged(far, { sequence: 2, position: 9, cause }, { lastSequence: 3, duration })).toBeUndefined();
    }
  });
});
