import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findAnchor, getPreviousId, insertAfter, removeById, shuffle, toMove } from './order.ts';

interface Item {
  _id: string;
}

const list = (ids: Iterable<string>): Item[] => Array.from(ids, (_id) => ({ _id }));
const toIds = (items: readonly Item[]) => items.map(({ _id }) => _id);

describe('[LIST-06] the order of a playlist', () => {
  it.each([
    ['abc', 'c', null, 'cab'],
    ['abc', 'a', 'b', 'bac'],
    ['abc', 'a', 'c', 'bca'],
    ['abc', 'b', 'a', 'abc'],
    ['abc', 'b', 'x', 'abc'],
    ['abc', 'd', 'b', 'abdc'],
    ['', 'd', null, 'd'],
  ])('insertAfter(%s, %s, %s) is %s', (all, item, after, result) => {
    expect(toIds(insertAfter(list(all), { _id: item }, after)).join('')).toBe(result);
  });

  it.each([
    ['abc', 'b', 0, null],
    ['abc', 'b', 2, 'c'],
    ['abc', 'a', 1, 'b'],
    ['abc', 'a', -1, undefined],
    ['abc', 'c', 9, undefined],
    ['abc', 'x', 0, undefined],
  ])('findAnchor(%s, %s, %i) is %s', (all, item, index, after) => {
    expect(findAnchor(list(all), item, index)).toBe(after);
  });

  it('a move reaches its index and can be undone', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(50), { minLength: 1 }), fc.nat(), fc.nat(), (numbers, from, to) => {
        const items = list(numbers.map(String));
        const item = items[from % items.length] ?? { _id: '' };
        const after = findAnchor(items, item._id, to % items.length);
        if (after === undefined) return;
        const moved = insertAfter(items, item, after);
        expect(moved.indexOf(item)).toBe(to % items.length);
        expect(insertAfter(moved, item, getPreviousId(items, item._id))).toEqual(items);
      }),
    );
  });

  it('toMove has the notation of the API', () => {
    expect([toMove('a', 'b'), toMove('a', null)]).toEqual(['a:b', 'a:']);
  });
});

it('[LIST-06] shuffle is a permutation', () => {
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

/** A change as the portal applies it: removes, appends, then moves. */
interface Change {
  removed?: string;
  added?: string;
  moved?: string;
}

/** An action of a user on one device; its numbers are taken modulo the length of the list. */
type Action = { type: 'move'; from: number; to: number } | { type: 'remove'; at: number } | { type: 'undo' };

const all = ['a', 'b', 'c', 'd', 'e', 'f'];

/** The portal's rule in its simplest form. */
function applyChange(list: readonly string[], { removed, added, moved }: Change): string[] {
  const remaining = list.filter((id) => id !== removed);
  const longer = added === undefined || remaining.includes(added) ? remaining : [...remaining, added];
  if (moved === undefined) return longer;
  const [id = '', anchor = ''] = moved.split(':');
  if (!longer.includes(id) || id === anchor || (anchor !== '' && !longer.includes(anchor))) return longer;
  const others = longer.filter((other) => other !== id);
  return others.toSpliced(anchor === '' ? 0 : others.indexOf(anchor) + 1, 0, id);
}

/** A device: what it shows, and what it has not sent yet. */
function createDevice() {
  let shown = list(all);
  let removedItem: { item: Item; after: string | null } | null = null;
  const waiting: Change[] = [];
  return {
    shown: () => toIds(shown),
    waiting,
    act(action: Action): void {
      if (action.type === 'undo') {
        if (!removedItem) return;
        const { item, after } = removedItem;
        removedItem = null;
        shown = insertAfter(shown, item, after);
        waiting.push({ added: item._id, moved: toMove(item._id, after) });
        return;
      }
      const item = shown[(action.type === 'move' ? action.from : action.at) % Math.max(1, shown.length)];
      if (!item) return;
      if (action.type === 'remove') {
        removedItem = { item, after: getPreviousId(shown, item._id) };
        shown = removeById(shown, item._id);
        waiting.push({ removed: item._id });
        return;
      }
      const after = findAnchor(shown, item._id, action.to % shown.length);
      if (after === undefined) return;
      shown = insertAfter(shown, item, after);
      waiting.push({ moved: toMove(item._id, after) });
    },
    refetch(ids: readonly string[]): void {
      shown = list(ids);
    },
  };
}

const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ type: fc.constant('move' as const), from: fc.nat(9), to: fc.nat(9) }),
  fc.record({ type: fc.constant('remove' as const), at: fc.nat(9) }),
  fc.record({ type: fc.constant('undo' as const) }),
);

it('[LIST-06] the optimistic list of a device equals the portal’s once all is sent', () => {
  fc.assert(
    fc.property(fc.array(action), (actions) => {
      const device = createDevice();
      for (const one of actions) device.act(one);
      expect(device.shown()).toEqual(device.waiting.reduce<string[]>(applyChange, all));
    }),
  );
});

it('[LIST-06] two devices sending in any order lose no track and converge on refetch', () => {
  const step = fc.record({ who: fc.constantFrom(0, 1), act: fc.option(action) });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const devices = [createDevice(), createDevice()];
      let portal = all;
      const removed = new Set<string>();
      const send = (who: number) => {
        const change = devices[who]?.waiting.shift();
        if (change?.removed) removed.add(change.removed);
        if (change) portal = applyChange(portal, change);
        return change !== undefined;
      };
      for (const { who, act: one } of steps) {
        if (one) devices[who]?.act(one);
        else send(who);
      }
      while (send(0) || send(1));
      for (const device of devices) device.refetch(portal);
      expect(devices[0]?.shown()).toEqual(devices[1]?.shown());
      expect(new Set(portal).size).toBe(portal.length);
      for (const id of all) if (!removed.has(id)) expect(portal).toContain(id);
    }),
  );
});
