import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toId } from '../testing/fixtures.ts';
import { enqueueProgress, type ProgressQueue, type ProgressUpdate, removeEntry } from './progress-queue.ts';
import { parseProgressQueue, toUnsentPositions } from './progress-storage.ts';

const empty: ProgressQueue = { device: toId(700), sequence: 10, entries: [] };
const [one, two] = [toId(1), toId(2)];
const causes = ['play', 'pause', 'seek', 'tick', 'hide', 'skip', 'ended'] as const;
// Long ago, so that sequence numbers rise by one.
const at = '1970-01-01T00:00:00.000Z';
const enqueueAll = (...updates: [string, number, ProgressUpdate['cause']][]) =>
  updates.reduce(
    (queue, [track, position, cause]) => enqueueProgress(queue, { track, position, cause, at }),
    empty,
  );
const toSummary = ({ entries }: ProgressQueue) =>
  entries.map(({ sequence, cause, position }) => `${sequence} ${cause} ${position}`);

describe('the progress queue', () => {
  it('numbers the entries of the device', () => {
    const { sequence, entries } = enqueueAll([one, 0, 'play'], [one, 30, 'pause']);
    expect(sequence).toBe(12);
    expect(entries).toEqual([
      { track: one, device: toId(700), sequence: 11, position: 0, cause: 'play', at },
      { track: one, device: toId(700), sequence: 12, position: 30, cause: 'pause', at },
    ]);
  });

  it('[PLAY-05] does not reuse sequence numbers after losing the last write', () => {
    const update = { track: one, position: 5, cause: 'tick' } as const;
    const first = enqueueProgress(empty, { ...update, at: '2026-11-20T09:00:00.000Z' });
    const next = enqueueProgress(empty, { ...update, at: '2026-11-20T09:00:04.000Z' });
    expect(next.sequence).toBeGreaterThan(first.sequence);
    expect(enqueueProgress(first, { ...update, at }).sequence).toBe(first.sequence + 1);
  });

  it.each([
    ['a tick supersedes a tick', [one, 5, 'tick'], [one, 10, 'tick'], ['12 tick 10']],
    ['ended supersedes a tick', [one, 95, 'tick'], [one, 100, 'ended'], ['12 ended 100']],
    ['a seek supersedes a seek', [one, 5, 'seek'], [one, 50, 'seek'], ['12 seek 50']],
    ['a tick does not supersede a seek', [one, 50, 'seek'], [one, 55, 'tick'], ['11 seek 50', '12 tick 55']],
    ['a seek does not supersede a tick', [one, 5, 'tick'], [one, 50, 'seek'], ['11 tick 5', '12 seek 50']],
    ['play does not supersede hide', [one, 5, 'hide'], [one, 5, 'play'], ['11 hide 5', '12 play 5']],
    ['a tick does not supersede a pause', [one, 5, 'pause'], [one, 10, 'tick'], ['11 pause 5', '12 tick 10']],
    ['another track supersedes nothing', [one, 5, 'tick'], [two, 10, 'tick'], ['11 tick 5', '12 tick 10']],
    ['a pause does not supersede a skip', [one, 5, 'skip'], [one, 5, 'pause'], ['11 skip 5', '12 pause 5']],
  ] as const)('%s', (_, first, second, remaining) => {
    expect(toSummary(enqueueAll([...first], [...second]))).toEqual(remaining);
  });

  it.each([
    ['that supersedes another has the time of both', 'tick', 4, 4.25, [8.25]],
    ['after another has its own', 'pause', 4, 4.25, [4, 4.25]],
    ['that supersedes one without a time has none', 'tick', undefined, 4, [undefined]],
    ['without a time that supersedes another has none', 'tick', 4, undefined, [undefined]],
    ['has no more than the server accepts', 'tick', 600_000, 600_000, [604_800]],
  ] as const)('[SUB-07] an entry %s', (_, cause, first, second, expected) => {
    const update = { track: one, position: 4, at };
    const withTime = (secondsPlayed: number | undefined) => secondsPlayed !== undefined && { secondsPlayed };
    const before = enqueueProgress(empty, { ...update, cause, ...withTime(first) });
    const { entries } = enqueueProgress(before, { ...update, cause: 'tick', ...withTime(second) });
    expect(entries.map(({ secondsPlayed }) => secondsPlayed)).toEqual(expected);
  });

  it('[SUB-07] the time played until a tick stays on its day when the track is removed later', () => {
    const update = { track: one, position: 4 };
    const before = enqueueProgress(empty, { ...update, cause: 'tick', at, secondsPlayed: 4 });
    const removal = { cause: 'skip', at: '1970-01-03T00:00:00.000Z', secondsPlayed: 0 } as const;
    const { entries } = enqueueProgress(before, { ...update, ...removal });
    expect(entries.map(({ cause, secondsPlayed }) => [cause, secondsPlayed])).toEqual([
      ['tick', 4],
      ['skip', 0],
    ]);
  });

  it('[SUB-07] loses no time played, and not the first entry, when it is full', () => {
    let queue = empty;
    for (let second = 0; second < 300; second += 1)
      queue = enqueueProgress(queue, { track: one, position: second, cause: 'pause', at, secondsPlayed: 1 });
    const { entries } = queue;
    expect([entries.length, entries[0]?.position]).toEqual([200, 0]);
    expect(entries.reduce((sum, { secondsPlayed = 0 }) => sum + secondsPlayed, 0)).toBe(300);
  });

  it('stores 200 entries at most', () => {
    const many = Array.from({ length: 230 }, (_, index): [string, number, 'pause'] => [one, index, 'pause']);
    const { entries } = enqueueAll(...many);
    expect(entries).toHaveLength(200);
    expect(entries.at(-1)?.position).toBe(229);
  });

  it('[PLAY-05] never drops the last entry of a track', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.nat(100), fc.constantFrom(...causes)), {
          minLength: 150,
          maxLength: 400,
          size: 'max',
        }),
        (updates) => {
          const all = updates.map(([track, position, cause]) => [toId(track), position, cause] as const);
          const { entries } = enqueueAll(
            ...all.map(([...update]): [string, number, ProgressUpdate['cause']] => update),
          );
          const expected = new Map(all.map(([track, position, cause]) => [track, `${cause} ${position}`]));
          const queued = new Map(
            entries.map(({ track, cause, position }) => [track, `${cause} ${position}`]),
          );
          expect(queued).toEqual(expected);
          expect(entries.length).toBeLessThanOrEqual(200);
          const numbers = entries.map(({ sequence }) => sequence);
          expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
        },
      ),
      { numRuns: 20 },
    );
  });

  it('removeEntry removes the acknowledged entry only', () => {
    const queue = enqueueAll([one, 5, 'pause'], [two, 6, 'pause']);
    expect(toSummary(removeEntry(queue, 11))).toEqual(['12 pause 6']);
    expect(removeEntry(queue, 99).entries).toHaveLength(2);
  });

  it('toUnsentPositions returns the last position by track, 0 after ended', () => {
    expect(toUnsentPositions(enqueueAll([one, 5, 'pause'], [two, 100, 'ended'], [one, 9, 'pause']))).toEqual({
      [one]: 9,
      [two]: 0,
    });
  });
});

describe('parseProgressQueue', () => {
  const entry = { track: toId(1), device: toId(700), sequence: 8, position: 3, cause: 'pause' };

  it.each([
    ['nothing', null, { device: toId(701), sequence: 0, entries: [] }],
    [
      'a valid queue',
      { device: toId(700), sequence: 9, entries: [entry] },
      { device: toId(700), sequence: 9, entries: [entry] },
    ],
    [
      'a queue without its sequence, which continues after the entries',
      { device: toId(700), entries: [entry] },
      { device: toId(700), sequence: 8, entries: [entry] },
    ],
    [
      'a queue with invalid entries',
      { device: toId(700), sequence: 4, entries: [{}, 3] },
      { device: toId(700), sequence: 4, entries: [] },
    ],
  ])('parses %s', (_, stored, expected) => {
    expect(parseProgressQueue(stored, () => toId(701))).toEqual(expected);
  });
});
