import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findAnchor, getPreviousId, insertAfter, shuffle, toMove } from './order.ts';

const list = (ids: string) => [...ids].map((_id) => ({ _id }));
const ids = (items: readonly { _id: string }[]) => items.map(({ _id }) => _id).join('');

describe('[LIST-06] the order of a playlist', () => {
  it.each([
    ['abc', 'c', null, 'cab'],
    ['abc', 'a', 'b', 'bac'],
    ['abc', 'a', 'c', 'bca'],
    ['abc', 'b', 'a', 'abc'],
    ['abc', 'b', 'x', 'abc'],
    ['abc', 'd', 'b', 'abdc'],
    ['', 'd', null, 'd'],
  ])('%s: %s behind %s: %s', (all, item, after, result) => {
    expect(ids(insertAfter(list(all), { _id: item }, after))).toBe(result);
  });

  it.each([
    ['abc', 'b', 0, null],
    ['abc', 'b', 2, 'c'],
    ['abc', 'a', 1, 'b'],
    ['abc', 'a', -1, undefined],
    ['abc', 'c', 9, undefined],
    ['abc', 'x', 0, undefined],
  ])('%s: %s to %i stands behind %s', (all, item, index, after) => {
    expect(findAnchor(list(all), item, index)).toBe(after);
  });

  it('a step and the move made of it agree, and taking it back leads home', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(50), { minLength: 1 }), fc.nat(), fc.nat(), (numbers, from, to) => {
        const items = numbers.map((number) => ({ _id: String(number) }));
        const item = items[from % items.length] ?? { _id: '' };
        const after = findAnchor(items, item._id, to % items.length);
        if (after === undefined) return;
        const moved = insertAfter(items, item, after);
        expect(moved.indexOf(item)).toBe(to % items.length);
        expect(insertAfter(moved, item, getPreviousId(items, item._id))).toEqual(items);
      }),
    );
  });

  it('a move is written as the API reads it', () => {
    expect([toMove('a', 'b'), toMove('a', null)]).toEqual(['a:b', 'a:']);
  });
});

it('[LIST-06] shuffling loses nothing and adds nothing', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat()),
      fc.array(fc.double({ min: 0, max: 0.999, noNaN: true })),
      (items, throws) => {
        let next = 0;
        const result = shuffle(items, () => throws[next++ % throws.length] ?? 0);
        expect(result.toSorted()).toEqual(items.toSorted());
      },
    ),
  );
});
