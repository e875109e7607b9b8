import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getMadeAt, getOccurredAt, isFromOtherDevice, mergeProgress, type Progress } from './policy.ts';

const deviceKind = null;
// Unknown: saved before devices were recorded.
const device = null;
const far: Progress = { position: 600, inContinueListening: true, device, deviceKind };
const fresh: Progress = { position: 0, inContinueListening: false, device, deviceKind };
const finished: Progress = { position: 600, inContinueListening: false, device, deviceKind };
const [here, there] = [randomUUID(), randomUUID()];
const savedHere = { inContinueListening: true, device: here, deviceKind };
const duration = 1000;
const unchangedForSeconds = 60;

describe('mergeProgress', () => {
  it.each([
    ['the first tick is saved', fresh, 'tick', 12, { position: 12, ...savedHere }],
    ['play adds the track to Continue listening', fresh, 'play', 0, { position: 0, ...savedHere }],
    ['a pause saves the position', far, 'pause', 720, { position: 720, ...savedHere }],
    ['a pause further back saves that position', far, 'pause', 300, { position: 300, ...savedHere }],
    ['a tick further back is saved', far, 'tick', 90, { position: 90, ...savedHere }],
    ['a seek to the beginning is saved', far, 'seek', 0, { position: 0, ...savedHere }],
    ['a pause at the beginning is saved', far, 'pause', 0, { position: 0, ...savedHere }],
    ['a tick at the beginning does not overwrite a far position', far, 'tick', 0, far],
    ['play at the beginning does not overwrite a far position', far, 'play', 0, far],
    ['hiding the page at the beginning does not overwrite a far position', far, 'hide', 4.9, far],
    ['a tick at five seconds is saved', far, 'tick', 5, { position: 5, ...savedHere }],
    [
      'a tick at the beginning overwrites a near position',
      { ...far, position: 30 },
      'tick',
      1,
      { position: 1, ...savedHere },
    ],
    ['play lists a removed track again at its position', finished, 'play', 0, far],
    [
      'a skip removes the track and saves the position',
      far,
      'skip',
      640,
      { position: 640, ...savedHere, inContinueListening: false },
    ],
    [
      'the end removes the track, which starts at 0 again',
      far,
      'ended',
      1000,
      { position: 0, ...savedHere, inContinueListening: false },
    ],
    [
      'a position after the end is limited to the duration',
      far,
      'pause',
      5000,
      { position: 1000, ...savedHere },
    ],
  ] as const)('[PLAY-05] %s', (_name, progress, cause, position, expected) => {
    const entry = { device: here, sequence: 1, position, cause };
    expect(mergeProgress(progress, entry, { lastSequence: null, duration, unchangedForSeconds })).toEqual(
      expected,
    );
  });

  it.each([
    ['a higher sequence is accepted', 5, 6, { position: 700, ...savedHere }],
    ['a lower sequence is ignored', 5, 4, undefined],
    ['the same sequence is ignored', 5, 5, undefined],
    ['the first entry is accepted', null, 1, { position: 700, ...savedHere }],
  ])('[PLAY-05] from one device, %s', (_name, lastSequence, sequence, expected) => {
    const entry = { device: here, sequence, position: 700, cause: 'pause' } as const;
    expect(mergeProgress(far, entry, { lastSequence, duration, unchangedForSeconds })).toEqual(expected);
  });

  it.each([
    ['saves the kind of the device', 'tick', 300, 'phone', 'phone'],
    ['saves no kind when the entry has none', 'tick', 300, undefined, null],
    ['leaves the stored kind when the position is not saved', 'play', 0, 'phone', 'tablet'],
    ['saves the kind at the end of a track', 'ended', 1000, 'computer', 'computer'],
  ] as const)('[PLAY-05] %s', (_name, cause, position, kind, expected) => {
    const entry = { device: here, sequence: 1, position, cause, ...(kind && { deviceKind: kind }) };
    const progress = { ...far, deviceKind: 'tablet' } as const;
    expect(
      mergeProgress(progress, entry, { lastSequence: null, duration, unchangedForSeconds })?.deviceKind,
    ).toBe(expected);
  });

  it('[PLAY-05] a late end or skip does not count', () => {
    for (const cause of ['ended', 'skip'] as const) {
      const entry = { device: here, sequence: 2, position: 9, cause };
      expect(mergeProgress(far, entry, { lastSequence: 3, duration, unchangedForSeconds })).toBeUndefined();
    }
  });

  it.each([
    ['play at its own old position does not overwrite it', 'play', 90, 600],
    ['play where the other stopped is saved', 'play', 603, 603],
    ['a tick after playback is saved', 'tick', 94, 94],
    ['a seek is saved', 'seek', 90, 90],
    ['a pause is saved', 'pause', 90, 90],
  ] as const)('[PLAY-05] after another device continued, %s', (_name, cause, position, expected) => {
    const progress: Progress = { ...far, device: there };
    const entry = { device: here, sequence: 9, position, cause };
    const next = mergeProgress(progress, entry, { lastSequence: 8, duration, unchangedForSeconds });
    expect(next?.position).toBe(expected);
    expect(next && isFromOtherDevice(next, entry)).toBe(expected === 600);
  });

  it.each([
    ['saved the progress itself', { ...far, device: here }, 90],
    ['starts a track that another device finished', { ...finished, device: there, position: 0 }, 90],
    ['starts a track at whose start another device stopped', { ...far, device: there, position: 30 }, 90],
  ] as const)('[PLAY-05] accepts play of a device that %s', (_name, progress, expected) => {
    const entry = { device: here, sequence: 9, position: expected, cause: 'play' } as const;
    expect(mergeProgress(progress, entry, { lastSequence: 8, duration, unchangedForSeconds })).toEqual({
      ...savedHere,
      position: 90,
    });
  });

  it.each([
    ['from before another device continued is ignored', there, 3600, 600],
    ['from after another device stopped is saved', there, 59, 90],
    ['is saved when no other device has played', here, 3600, 90],
    ['is saved when the other device is unknown', null, 3600, 90],
  ] as const)('[PLAY-05] an entry that waited up to a week %s', (_name, device, waited, position) => {
    for (const cause of ['play', 'tick', 'pause', 'seek', 'hide'] as const) {
      if (cause === 'play' && device === there) continue;
      const entry = { device: here, sequence: 9, position: 90, cause, waited };
      const next = mergeProgress({ ...far, device }, entry, {
        lastSequence: 8,
        duration,
        unchangedForSeconds,
      });
      expect(next?.position).toBe(position);
    }
  });

  it('[PLAY-05] a skip on another device removes the track and keeps the position', () => {
    const saved: Progress = { ...far, device: there };
    const entry = { device: here, sequence: 9, position: 7, cause: 'skip' } as const;
    expect(mergeProgress(saved, entry, { lastSequence: 8, duration, unchangedForSeconds: 60 })).toEqual({
      ...saved,
      inContinueListening: false,
    });
  });

  it('[PLAY-05] a skip of a track that was never listened to does not start it', () => {
    const entry = { device: here, sequence: 9, position: 0, cause: 'skip' } as const;
    expect(mergeProgress(fresh, entry, { lastSequence: null, duration, unchangedForSeconds: 0 })).toEqual(
      fresh,
    );
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

describe('getMadeAt', () => {
  const WEEK = 7 * 86_400;
  it.each([
    ['that was sent at once', undefined, 0],
    ['in transit', 5, 0],
    ['that waited', 5.5, 5.5],
    ['that waited for a week', WEEK, WEEK],
    ['that waited for years, by a clock that was corrected', 1e9, WEEK],
    ['that waited for longer than dates can express', Number.MAX_VALUE, WEEK],
  ])('[PLAY-05] dates an entry %s', (_name, waited, secondsAgo) => {
    const now = new Date('2026-11-20T10:00:00.000Z');
    expect(getMadeAt({ waited }, now)).toEqual(new Date(now.getTime() - secondsAgo * 1000));
  });
});

describe('getOccurredAt', () => {
  it.each([
    ['without its time', undefined, undefined, '10:00:00'],
    ['that was sent at once', '09:59:58', 1, '09:59:58'],
    ['that waited', '08:00:00', 7195, '08:00:00'],
    ['in a slow request', '09:59:10', 0, '09:59:10'],
    ['of an earlier version', '08:00:00', undefined, '08:00:00'],
    ['of an earlier version whose clock is ahead', '10:30:00', undefined, '10:00:00'],
    ['of a clock that is a little ahead', '10:00:30', 0, '10:00:00'],
    ['of a clock that is behind', '07:00:00', 0, '10:00:00'],
    ['that waited, of a clock that is behind', '06:00:00', 3600, '09:00:00'],
    ['that waited, of a clock that is ahead', '12:00:00', 3600, '09:00:00'],
  ])('[SUB-07] dates an entry %s', (_name, at, waited, expected) => {
    const toIso = (time: string) => `2026-11-20T${time}.000Z`;
    const entry = { at: at && toIso(at), waited };
    expect(getOccurredAt(entry, new Date(toIso('10:00:00')))).toEqual(new Date(toIso(expected)));
  });
});

type DeviceIndex = 0 | 1 | 2;

/** An action on a device, or the transmission of its waiting entries. */
type Action = { device: DeviceIndex } & (
  | { type: 'listen' | 'seek' | 'leave'; position: number }
  | { type: 'send' }
);

interface QueuedEntry {
  sequence: number;
  position: number;
  cause: 'tick' | 'seek' | 'pause';
  createdAt: number;
}

const causes = { listen: 'tick', seek: 'seek', leave: 'pause' } as const;

/** Runs actions ten seconds apart. Entries are sent late, and again when their response was lost. */
function simulate(actions: readonly Action[], getAge: (createdAt: number, now: number) => number) {
  const devices = [here, there, randomUUID()].map((id) => ({
    id,
    sequence: 0,
    waiting: [] as QueuedEntry[],
    sent: [] as QueuedEntry[],
  }));
  let progress: Progress = fresh;
  let savedAt = 0;
  actions.forEach((action, index) => {
    const now = index * 10;
    const device = devices[action.device];
    if (!device) return;
    if (action.type !== 'send') {
      device.sequence += 1;
      const { sequence } = device;
      device.waiting.push({
        sequence,
        position: action.position,
        cause: causes[action.type],
        createdAt: now,
      });
      return;
    }
    const arriving = [...device.waiting.splice(0), ...device.sent.slice(-2)];
    for (const queued of arriving) {
      const lastSequence = device.sent.at(-1)?.sequence ?? null;
      const waited = getAge(queued.createdAt, now);
      const entry = { ...queued, device: device.id, waited };
      const context = { lastSequence, duration, unchangedForSeconds: now - savedAt };
      const next = mergeProgress(progress, entry, context);
      if (lastSequence === null || queued.sequence > lastSequence) device.sent.push(queued);
      if (!next || next === progress) continue;
      progress = next;
      savedAt = Math.max(savedAt, getMadeAt({ waited }, new Date(now * 1000)).getTime() / 1000);
    }
  });
  return { progress, devices };
}

describe('[PLAY-05] with three devices and any order of entries', () => {
  const device = fc.constantFrom<DeviceIndex[]>(0, 1, 2);
  const action: fc.Arbitrary<Action> = fc.oneof(
    fc.record({
      device,
      type: fc.constantFrom('listen' as const, 'seek' as const, 'leave' as const),
      position: fc.nat(999),
    }),
    fc.record({ device, type: fc.constant('send' as const) }),
  );
  const anyActions = fc.array(action, { maxLength: 60 });
  const getActualAge = (createdAt: number, now: number) => now - createdAt;

  it('the position is within the track and was sent by the named device', () => {
    fc.assert(
      fc.property(anyActions, fc.integer({ min: 0, max: 1e9 }), (actions, clockOffset) => {
        const { progress, devices } = simulate(actions, (createdAt, now) => now - createdAt + clockOffset);
        expect(progress.position).toBeGreaterThanOrEqual(0);
        expect(progress.position).toBeLessThanOrEqual(duration);
        if (progress.device === null) return;
        const sender = devices.find(({ id }) => id === progress.device);
        expect(sender?.sent.some(({ position }) => position === progress.position)).toBe(true);
      }),
    );
  });

  it('a single device ends at its last position, however late entries arrive', () => {
    fc.assert(
      fc.property(anyActions, (actions) => {
        const ofOneDevice = actions.map((single) => ({ ...single, device: 0 as const }));
        const { progress, devices } = simulate([...ofOneDevice, { device: 0, type: 'send' }], getActualAge);
        const last = devices[0]?.sent.at(-1);
        // Without a seek, a start does not overwrite a far position.
        if (last && (last.cause !== 'tick' || last.position >= 5))
          expect(progress.position).toBe(last.position);
      }),
    );
  });

  it('of all seeks and pauses that were sent the one that was made last wins', () => {
    fc.assert(
      fc.property(anyActions, (actions) => {
        const { progress, devices } = simulate(
          actions.filter(({ type }) => type !== 'listen'),
          getActualAge,
        );
        const sent = devices.flatMap((single) =>
          single.sent.map((entry) => ({ ...entry, device: single.id })),
        );
        const [last] = sent.sort((a, b) => b.createdAt - a.createdAt);
        if (last) expect(progress).toMatchObject({ position: last.position, device: last.device });
      }),
    );
  });

  it('a device that returns late does not overwrite newer progress', () => {
    fc.assert(
      fc.property(anyActions, fc.integer({ min: 31, max: 999 }), (actions, position) => {
        const unsent = actions.filter((single) => single.device === 0 && single.type !== 'send');
        const { progress } = simulate(
          [
            ...unsent,
            { device: 1, type: 'leave', position },
            { device: 1, type: 'send' },
            { device: 0, type: 'send' },
          ],
          getActualAge,
        );
        expect(progress.position).toBe(position);
      }),
    );
  });
});
