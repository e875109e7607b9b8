import type { Bookmark } from '@escucho/contracts';

/** What a device says of bookmarks, by id: how one is now, or null for one that is deleted. */
export type BookmarkChanges = Readonly<Record<string, Bookmark | null>>;

/**
 * The bookmarks of a track as its reader has left them, in the track's order. In: the track, what the server told, and what
 * was said since, later words last.
 */
export function mergeBookmarks(
  track: string,
  told: readonly Bookmark[],
  ...said: readonly BookmarkChanges[]
): Bookmark[] {
  const all = new Map<string, Bookmark | null>(told.map((bookmark) => [bookmark._id, bookmark]));
  for (const words of said) for (const [id, bookmark] of Object.entries(words)) all.set(id, bookmark);
  return [...all.values()]
    .filter((bookmark) => bookmark !== null)
    .filter((bookmark) => bookmark.track === track)
    .toSorted((one, other) => one.position - other.position || one._id.localeCompare(other._id));
}
