interface Item {
  _id: string;
}

/** Returns a list without one of its items. */
export const removeById = <T extends Item>(items: readonly T[], id: string): T[] =>
  items.filter(({ _id }) => _id !== id);

/** Returns the id of the item before another; null for the first. */
export const getPreviousId = (items: readonly Item[], id: string): string | null =>
  items[items.findIndex(({ _id }) => _id === id) - 1]?._id ?? null;

/**
 * Returns a list with an item behind its anchor; unchanged where the anchor is not in it.
 *
 * @param anchor - The id of the item before, or null for the top.
 */
export function insertAfter<T extends Item>(items: readonly T[], item: T, anchor: string | null): T[] {
  const others = removeById(items, item._id);
  const index = anchor === null ? 0 : others.findIndex(({ _id }) => _id === anchor) + 1;
  return anchor !== null && index === 0 ? [...items] : others.toSpliced(index, 0, item);
}

/** Returns a move in the notation of the API (LIST-06). */
export const toMove = (id: string, anchor: string | null): string => `${id}:${anchor ?? ''}`;

/** Returns the anchor an item has once it is at an index: null at the top, undefined where it does not move. */
export function findAnchor(items: readonly Item[], id: string, index: number): string | null | undefined {
  const current = items.findIndex((item) => item._id === id);
  const target = Math.max(0, Math.min(index, items.length - 1));
  if (current < 0 || target === current) return undefined;
  return removeById(items, id)[target - 1]?._id ?? null;
}

/**
 * Returns a list in random order.
 *
 * @param random - Returns a number from 0 up to 1, as `Math.random` does.
 */
export function shuffle<T>(items: readonly T[], random: () => number): T[] {
  const remaining = [...items];
  return items.flatMap(() => remaining.splice(Math.floor(random() * remaining.length), 1));
}
