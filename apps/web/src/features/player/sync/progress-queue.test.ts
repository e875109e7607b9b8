import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toId } from '../testing/fixtures.ts';
import { enqueueProgress, type ProgressQueue, type ProgressUpdate, removeEntry } from './progress-queue.ts';
import { parseProgressQueue, toUnsentPositions } from './progress-storage.ts';

const empty: ProgressQueue = { device: toId(700), sequence: 10, entries: [] };
const [one, two] = [toId(1), toId(2)];
const causes = ['play', 'pause', 'seek', 'tick', 'hide', 'skip', 'ended'] as const;
// A clock that stands far behind, so that numbers rise by one.
const at = '1970-01-01T00:00:00.000Z';
const filled = (...places: [string, number, ProgressUpdate['cause']][]) =>
  places.reduce(
    (outbox, [track, position, cause]) => enqueueProgress(outbox, { track, position, cause, at }),
    empty,
  );
const brief = ({ entries }: ProgressQueue) =>
  entries.map(({ sequence, cause, position }) => `${sequence} ${cause} ${position}`);

describe('the outbox of places', () => {
  it('numbers entries of the device upwards', () => {
    const { sequence, entries } = filled([one, 0, 'play'], [one, 30, 'pause']);
    expect(sequence).toBe(12);
    expect(entries).toEqual([
      { track: one, device: toId(700), sequence: 11, position: 0, cause: 'play', at },
      { track: one, device: toId(700), sequence: 12, position: 30, cause: 'pause', at },
    ]);
  });

  it('[PLAY-05] a device that forgot its last numbers uses none of them again', () => {
    const place = { track: one, position: 5, cause: 'tick' } as const;
    const first = enqueueProgress(empty, { ...place, at: '2026-11-20T09:00:00.000Z' });
    const next = enqueueProgress(empty, { ...place, at: '2026-11-20T09:00:04.000Z' });
    expect(next.sequence).toBeGreaterThan(first.sequence);
    expect(enqueueProgress(first, { ...place, at }).sequence).toBe(first.sequence + 1);
  });

  it.each([
    ['a tick gives way to the next tick', [one, 5, 'tick'], [one, 10, 'tick'], ['12 tick 10']],
    ['a tick gives way to the end', [one, 95, 'tick'], [one, 100, 'ended'], ['12 ended 100']],
    ['a seek gives way to the next seek', [one, 5, 'seek'], [one, 50, 'seek'], ['12 seek 50']],
    ['where a seek went stays', [one, 50, 'seek'], [one, 55, 'tick'], ['11 seek 50', '12 tick 55']],
    ['what was heard before a seek stays', [one, 5, 'tick'], [one, 50, 'seek'], ['11 tick 5', '12 seek 50']],
    ['and before a new start', [one, 5, 'hide'], [one, 5, 'play'], ['11 hide 5', '12 play 5']],
    ['a pause stays', [one, 5, 'pause'], [one, 10, 'tick'], ['11 pause 5', '12 tick 10']],
    ['another track stays', [one, 5, 'tick'], [two, 10, 'tick'], ['11 tick 5', '12 tick 10']],
    ['a skip stays', [one, 5, 'skip'], [one, 5, 'pause'], ['11 skip 5', '12 pause 5']],
  ] as const)('%s', (_, first, second, left) => {
    expect(brief(filled([...first], [...second]))).toEqual(left);
  });

  it('keeps the newest 200', () => {
    const many = Array.from({ length: 230 }, (_, index): [string, number, 'pause'] => [one, index, 'pause']);
    const { entries } = filled(...many);
    expect(entries).toHaveLength(200);
    expect(entries.at(-1)?.position).toBe(229);
  });

  it('[PLAY-05] never gives up where a track was left, however much follows', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.nat(100), fc.constantFrom(...causes)), {
          minLength: 150,
          maxLength: 400,
          size: 'max',
        }),
        (said) => {
          const places = said.map(([track, position, cause]) => [toId(track), position, cause] as const);
          const { entries } = filled(
            ...places.map(([...place]): [string, number, ProgressUpdate['cause']] => place),
          );
          const left = new Map(places.map(([track, position, cause]) => [track, `${cause} ${position}`]));
          const kept = new Map(entries.map(({ track, cause, position }) => [track, `${cause} ${position}`]));
          expect(kept).toEqual(left);
          expect(entries.length).toBeLessThanOrEqual(200);
          const numbers = entries.map(({ sequence }) => sequence);
          expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
        },
      ),
      { numRuns: 20 },
    );
  });

  it('lets go of what the server has, and of nothing else', () => {
    const outbox = filled([one, 5, 'pause'], [two, 6, 'pause']);
    expect(brief(removeEntry(outbox, 11))).toEqual(['12 pause 6']);
    expect(removeEntry(outbox, 99).entries).toHaveLength(2);
  });

  it('knows the last unsent place of each track; one heard to the end begins anew', () => {
    expect(toUnsentPositions(filled([one, 5, 'pause'], [two, 100, 'ended'], [one, 9, 'pause']))).toEqual({
      [one]: 9,
      [two]: 0,
    });
  });
});

describe('the stored outbox', () => {
  const entry = { track: toId(1), device: toId(700), sequence: 8, position: 3, cause: 'pause' };

  it.each([
    ['nothing', null, { device: toId(701), sequence: 0, entries: [] }],
    [
      'what was kept',
      { device: toId(700), sequence: 9, entries: [entry] },
      { device: toId(700), sequence: 9, entries: [entry] },
    ],
    [
      'a count that was lost: it goes on after what is used',
      { device: toId(700), entries: [entry] },
      { device: toId(700), sequence: 8, entries: [entry] },
    ],
    [
      'entries that are none',
      { device: toId(700), sequence: 4, entries: [{}, 3] },
      { device: toId(700), sequence: 4, entries: [] },
    ],
  ])('reads %s', (_, stored, expected) => {
    expect(parseProgressQueue(stored, () => toId(701))).toEqual(expected);
  });
});
