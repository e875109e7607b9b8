import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFromOtherDevice, mergeProgress, type Progress } from './policy.ts';

const deviceKind = null;
// Nobody knows any more who wrote it.
const device = null;
const far: Progress = { position: 600, inContinueListening: true, device, deviceKind };
const fresh: Progress = { position: 0, inContinueListening: false, device, deviceKind };
const finished: Progress = { position: 600, inContinueListening: false, device, deviceKind };
const [here, there] = [randomUUID(), randomUUID()];
const written = { inContinueListening: true, device: here, deviceKind };
const duration = 1000;
const stood = 60;

describe('mergeProgress', () => {
  it.each([
    ['the first tick is kept', fresh, 'tick', 12, { position: 12, ...written }],
    ['pressing play lists the track', fresh, 'play', 0, { position: 0, ...written }],
    ['a pause keeps the place', far, 'pause', 720, { position: 720, ...written }],
    ['a pause further back keeps that place', far, 'pause', 300, { position: 300, ...written }],
    ['a tick further back is believed', far, 'tick', 90, { position: 90, ...written }],
    ['a seek to the beginning is meant', far, 'seek', 0, { position: 0, ...written }],
    ['a pause at the beginning is meant', far, 'pause', 0, { position: 0, ...written }],
    ['a tick at the beginning does not lose a far place', far, 'tick', 0, far],
    ['nor does play', far, 'play', 0, far],
    ['nor does a page that is hidden', far, 'hide', 4.9, far],
    ['five seconds in it is a place', far, 'tick', 5, { position: 5, ...written }],
    ['a near place is not worth keeping', { ...far, position: 30 }, 'tick', 1, { position: 1, ...written }],
    ['play brings a taken-out track back, at its place', finished, 'play', 0, far],
    [
      'a skip takes it out and keeps the place',
      far,
      'skip',
      640,
      { position: 640, ...written, inContinueListening: false },
    ],
    [
      'the end takes it out; it begins anew',
      far,
      'ended',
      1000,
      { position: 0, ...written, inContinueListening: false },
    ],
    ['no place lies after the end', far, 'pause', 5000, { position: 1000, ...written }],
  ] as const)('[PLAY-05] %s', (_name, place, cause, position, expected) => {
    const entry = { device: here, sequence: 1, position, cause };
    expect(mergeProgress(place, entry, { lastSequence: null, duration, unchangedForSeconds: stood })).toEqual(
      expected,
    );
  });

  it.each([
    ['a higher sequence counts', 5, 6, { position: 700, ...written }],
    ['a lower one never does', 5, 4, undefined],
    ['nor does the same', 5, 5, undefined],
    ['a device’s first counts', null, 1, { position: 700, ...written }],
  ])('[PLAY-05] from one device, %s', (_name, lastSequence, sequence, expected) => {
    const entry = { device: here, sequence, position: 700, cause: 'pause' } as const;
    expect(mergeProgress(far, entry, { lastSequence, duration, unchangedForSeconds: stood })).toEqual(
      expected,
    );
  });

  it.each([
    ['a place says what kind of device wrote it', 'tick', 300, 'phone', 'phone'],
    ['one that does not say leaves none', 'tick', 300, undefined, null],
    ['who loses no place writes none', 'play', 0, 'phone', 'tablet'],
    ['the end is written by a device too', 'ended', 1000, 'computer', 'computer'],
  ] as const)('[PLAY-05] %s', (_name, cause, position, said, expected) => {
    const entry = { device: here, sequence: 1, position, cause, ...(said && { deviceKind: said }) };
    const place = { ...far, deviceKind: 'tablet' } as const;
    expect(
      mergeProgress(place, entry, { lastSequence: null, duration, unchangedForSeconds: stood })?.deviceKind,
    ).toBe(expected);
  });

  it('[PLAY-05] a late end or skip does not count', () => {
    for (const cause of ['ended', 'skip'] as const) {
      const entry = { device: here, sequence: 2, position: 9, cause };
      expect(
        mergeProgress(far, entry, { lastSequence: 3, duration, unchangedForSeconds: stood }),
      ).toBeUndefined();
    }
  });

  it.each([
    ['where it was itself, it does not lose that place', 'play', 90, 600],
    ['where the other stopped, it goes on', 'play', 603, 603],
    ['and is believed once it plays on', 'tick', 94, 94],
    ['a seek before that is meant', 'seek', 90, 90],
    ['and so is a pause', 'pause', 90, 90],
  ] as const)(
    '[PLAY-05] another device continued; one that starts %s',
    (_name, cause, position, expected) => {
      const place: Progress = { ...far, device: there };
      const entry = { device: here, sequence: 9, position, cause };
      const next = mergeProgress(place, entry, { lastSequence: 8, duration, unchangedForSeconds: stood });
      expect(next?.position).toBe(expected);
      expect(next && isFromOtherDevice(next, entry)).toBe(expected === 600);
    },
  );

  it.each([
    ['goes back to where it was itself', { ...far, device: here }, 90],
    ['begins what another heard to the end', { ...finished, device: there, position: 0 }, 90],
    ['begins what another has hardly begun', { ...far, device: there, position: 30 }, 90],
  ] as const)('[PLAY-05] accepts play of a device that %s', (_name, place, expected) => {
    const entry = { device: here, sequence: 9, position: expected, cause: 'play' } as const;
    expect(mergeProgress(place, entry, { lastSequence: 8, duration, unchangedForSeconds: stood })).toEqual({
      ...written,
      position: 90,
    });
  });

  it.each([
    ['that it made before another went on changes nothing', there, 3600, 600],
    ['that it made after another had stopped counts', there, 59, 90],
    ['counts where nobody else has heard anything', here, 3600, 90],
    ['counts where nobody knows who has', null, 3600, 90],
  ] as const)('[PLAY-05] an entry that waited up to a week %s', (_name, device, waited, position) => {
    for (const cause of ['play', 'tick', 'pause', 'seek', 'hide'] as const) {
      if (cause === 'play' && device === there) continue;
      const entry = { device: here, sequence: 9, position: 90, cause, waited };
      const next = mergeProgress({ ...far, device }, entry, {
        lastSequence: 8,
        duration,
        unchangedForSeconds: stood,
      });
      expect(next?.position).toBe(position);
    }
  });

  it('[PLAY-05] an entry in transit for a few seconds is not late', () => {
    const entry = { device: here, sequence: 9, position: 90, cause: 'tick', waited: 4 } as const;
    const next = mergeProgress({ ...far, device: there }, entry, {
      lastSequence: 8,
      duration,
      unchangedForSeconds: 1,
    });
    expect(next?.position).toBe(90);
  });
});

/** Something that happens: a device is used, by hand or by itself, or gets through to the server. */
type Happening = { who: 0 | 1 | 2 } & ({ does: 'hear' | 'seek' | 'leave'; to: number } | { does: 'send' });

describe('[PLAY-05] with three devices and any order of entries', () => {
  const who = fc.constantFrom(0 as const, 1 as const, 2 as const);
  const happening: fc.Arbitrary<Happening> = fc.oneof(
    fc.record({
      who,
      does: fc.constantFrom('hear' as const, 'seek' as const, 'leave' as const),
      to: fc.nat(999),
    }),
    fc.record({ who, does: fc.constant('send' as const) }),
  );
  /** What each does takes ten seconds; clocks are years apart, and entries arrive twice and late. */
  function live(happenings: readonly Happening[], ageOf: (made: number, now: number) => number) {
    const ids = [here, there, randomUUID()] as const;
    const devices = ids.map((device) => ({ device, sequence: 0, waiting: [] as Said[], told: [] as Said[] }));
    let place: Progress = fresh;
    let writtenAt = 0;
    happenings.forEach((happening, index) => {
      const now = index * 10;
      const device = devices[happening.who];
      if (!device) return;
      if (happening.does !== 'send') {
        const cause = ({ hear: 'tick', seek: 'seek', leave: 'pause' } as const)[happening.does];
        device.sequence += 1;
        device.waiting.push({ sequence: device.sequence, position: happening.to, cause, made: now });
        return;
      }
      // Whatever was acknowledged once may come again: the answer was lost.
      const arriving = [...device.waiting.splice(0), ...device.told.slice(-2)];
      for (const said of arriving) {
        const lastSequence = device.told.at(-1)?.sequence ?? null;
        const entry = { ...said, device: device.device, waited: ageOf(said.made, now) };
        const next = mergeProgress(place, entry, {
          lastSequence,
          duration,
          unchangedForSeconds: now - writtenAt,
        });
        if (lastSequence === null || said.sequence > lastSequence) device.told.push(said);
        if (!next || next === place) continue;
        place = next;
        writtenAt = now;
      }
    });
    return { place, devices };
  }
  interface Said {
    sequence: number;
    position: number;
    cause: 'tick' | 'seek' | 'pause';
    made: number;
  }
  const everything = fc.array(happening, { maxLength: 60 });

  it('the position is within the track and was sent by the named device', () => {
    fc.assert(
      fc.property(everything, fc.integer({ min: 0, max: 1e9 }), (happenings, off) => {
        const { place, devices } = live(happenings, (made, now) => Math.max(now - made + off, 0));
        expect(place.position).toBeGreaterThanOrEqual(0);
        expect(place.position).toBeLessThanOrEqual(duration);
        const writer = devices.find(({ device }) => device === place.device);
        if (place.device !== null)
          expect(writer?.told.some(({ position }) => position === place.position)).toBe(true);
      }),
    );
  });

  it('a single device ends at its last position, however late entries arrive', () => {
    fc.assert(
      fc.property(everything, (happenings) => {
        const alone = happenings.map((happening) => ({ ...happening, who: 0 as const }));
        const { place, devices } = live([...alone, { who: 0, does: 'send' }], (made, now) => now - made);
        const last = devices[0]?.told.at(-1);
        // Where nobody sought, a start is not believed over a far place.
        if (last && (last.cause !== 'tick' || last.position >= 5)) expect(place.position).toBe(last.position);
      }),
    );
  });

  it('a device that returns late does not overwrite newer progress', () => {
    fc.assert(
      fc.property(everything, fc.integer({ min: 31, max: 999 }), (happenings, live2) => {
        // What 1 heard, at the end of it all, got through; only then does 0 say what it had kept.
        const only = happenings.filter(({ who: one, does }) => one === 0 && does !== 'send');
        const { place } = live(
          [...only, { who: 1, does: 'leave', to: live2 }, { who: 1, does: 'send' }, { who: 0, does: 'send' }],
          (made, now) => now - made,
        );
        expect(place.position).toBe(live2);
      }),
    );
  });
});
