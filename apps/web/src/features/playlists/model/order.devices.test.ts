import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findAnchor, getPreviousId, insertAfter, removeById, toMove } from './order.ts';

interface Item {
  _id: string;
}

/** What is told: what goes, what comes at the end, then a move, as the portal does it. */
interface Change {
  removed?: string;
  added?: string;
  moved?: string;
}

/** A reader's hands on one of their devices, by numbers that are taken round the list they see. */
type Act = { does: 'move'; from: number; to: number } | { does: 'remove'; at: number } | { does: 'undo' };

const all = ['a', 'b', 'c', 'd', 'e', 'f'];
const items = (ids: readonly string[]): Item[] => ids.map((_id) => ({ _id }));
const ids = (list: readonly Item[]) => list.map(({ _id }) => _id);

/** The portal's own rule, by the simplest means. */
function told(list: readonly string[], { removed, added, moved }: Change): string[] {
  const kept = list.filter((id) => id !== removed);
  const longer = added === undefined || kept.includes(added) ? kept : [...kept, added];
  if (moved === undefined) return longer;
  const [id = '', anchor = ''] = moved.split(':');
  if (!longer.includes(id) || id === anchor || (anchor !== '' && !longer.includes(anchor))) return longer;
  const others = longer.filter((other) => other !== id);
  return others.toSpliced(anchor === '' ? 0 : others.indexOf(anchor) + 1, 0, id);
}

/** A device: what it shows, and what it has not told yet. */
function aDevice() {
  let shown = items(all);
  let dropped: { item: Item; after: string | null } | null = null;
  const waiting: Change[] = [];
  return {
    shown: () => ids(shown),
    waiting,
    act(act: Act): void {
      if (act.does === 'undo') {
        if (!dropped) return;
        const { item, after } = dropped;
        dropped = null;
        shown = insertAfter(shown, item, after);
        waiting.push({ added: item._id, moved: toMove(item._id, after) });
        return;
      }
      const item = shown[(act.does === 'move' ? act.from : act.at) % Math.max(1, shown.length)];
      if (!item) return;
      if (act.does === 'remove') {
        dropped = { item, after: getPreviousId(shown, item._id) };
        shown = removeById(shown, item._id);
        waiting.push({ removed: item._id });
        return;
      }
      const after = findAnchor(shown, item._id, act.to % shown.length);
      if (after === undefined) return;
      shown = insertAfter(shown, item, after);
      waiting.push({ moved: toMove(item._id, after) });
    },
    look(list: readonly string[]): void {
      shown = items(list);
    },
  };
}

const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ does: fc.constant('move' as const), from: fc.nat(9), to: fc.nat(9) }),
  fc.record({ does: fc.constant('remove' as const), at: fc.nat(9) }),
  fc.record({ does: fc.constant('undo' as const) }),
);

it('[LIST-06] what one device shows at once is what the portal has once it was told', () => {
  fc.assert(
    fc.property(fc.array(act), (acts) => {
      const device = aDevice();
      for (const one of acts) device.act(one);
      expect(device.shown()).toEqual(device.waiting.reduce<string[]>(told, all));
    }),
  );
});

it('[LIST-06] two devices that tell their changes in any order lose no track, and see the same list once they look', () => {
  const step = fc.record({ who: fc.constantFrom(0, 1), act: fc.option(act) });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const devices = [aDevice(), aDevice()];
      let portal = all;
      const removed = new Set<string>();
      const tell = (who: number) => {
        const change = devices[who]?.waiting.shift();
        if (change?.removed) removed.add(change.removed);
        if (change) portal = told(portal, change);
        return change !== undefined;
      };
      for (const { who, act: one } of steps) {
        if (one) devices[who]?.act(one);
        else tell(who);
      }
      while (tell(0) || tell(1));
      for (const device of devices) device.look(portal);
      expect(devices[0]?.shown()).toEqual(devices[1]?.shown());
      expect(new Set(portal).size).toBe(portal.length);
      for (const id of all) if (!removed.has(id)) expect(portal).toContain(id);
    }),
  );
});
