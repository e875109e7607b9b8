interface Item {
  _id: string;
}

/** A list without one of its items. */
export const without = <T extends Item>(items: readonly T[], id: string): T[] =>
  items.filter(({ _id }) => _id !== id);

/** What stands before an item; null for the first. */
export const before = (items: readonly Item[], id: string): string | null =>
  items[items.findIndex(({ _id }) => _id === id) - 1]?._id ?? null;

/** The list with an item behind another, or at the top; as it is where either is not in it. */
export function placed<T extends Item>(items: readonly T[], item: T, after: string | null): T[] {
  const others = without(items, item._id);
  const index = after === null ? 0 : others.findIndex(({ _id }) => _id === after) + 1;
  return after !== null && index === 0 ? [...items] : others.toSpliced(index, 0, item);
}

/** A move as the API reads it (LIST-06). */
export const moveOf = (id: string, after: string | null): string => `${id}:${after ?? ''}`;

/** Where a step leads. In: the list, the item, its new index. Out: what it stands behind then; undefined when it stays. */
export function stepTo(items: readonly Item[], id: string, index: number): string | null | undefined {
  const now = items.findIndex((item) => item._id === id);
  const to = Math.max(0, Math.min(index, items.length - 1));
  if (now < 0 || to === now) return undefined;
  return without(items, id)[to - 1]?._id ?? null;
}

/** A list in an order of chance. In: dice that give 0 up to 1. */
export function shuffled<T>(items: readonly T[], dice: () => number): T[] {
  const left = [...items];
  return items.flatMap(() => left.splice(Math.floor(dice() * left.length), 1));
}
