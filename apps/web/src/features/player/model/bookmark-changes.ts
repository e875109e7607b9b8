import { api, type Bookmark, type BookmarkEntry, type Track, track as trackSchema } from '@escucho/contracts';
import * as z from 'zod/mini';
import { normalizeText } from '#shared/i18n/format.ts';
import { removeRepeated } from '#shared/pagination.ts';

/** Changed bookmarks by id; null for a deleted one. */
export type BookmarkChanges = Readonly<Record<string, Bookmark | null>>;

/** Returns a track's bookmarks by position: those of the server with changes applied, the newest changes last. */
export function mergeBookmarks(
  track: string,
  fromServer: readonly Bookmark[],
  ...changes: readonly BookmarkChanges[]
): Bookmark[] {
  const loaded = Object.fromEntries(fromServer.map((bookmark) => [bookmark._id, bookmark]));
  const merged: BookmarkChanges = Object.assign(loaded, ...changes);
  return Object.values(merged)
    .filter((bookmark) => bookmark !== null)
    .filter((bookmark) => bookmark.track === track)
    .toSorted((one, other) => one.position - other.position || one._id.localeCompare(other._id));
}

/** Returns entries of the server with changes applied: deleted ones are left out. */
export const applyChanges = (
  entries: readonly BookmarkEntry[],
  ...changes: readonly BookmarkChanges[]
): BookmarkEntry[] => {
  const changed: BookmarkChanges = Object.assign({}, ...changes);
  return entries.flatMap((entry) => {
    const bookmark = changed[entry.bookmark._id];
    if (bookmark === null) return [];
    return [bookmark ? { ...entry, bookmark } : entry];
  });
};

interface SentChange {
  bookmark: Bookmark | null;
  /** The track of an added bookmark. */
  track: Track | undefined;
  /** Milliseconds of `performance.now`. */
  acceptedAt: number;
}

/** Changes that the server has accepted, by id. */
type SentChanges = Readonly<Record<string, SentChange>>;

/** Returns the changes that a response may not contain: those accepted since it was requested. */
export const findSentSince = (sent: SentChanges, requestedAt: number): BookmarkChanges =>
  Object.fromEntries(
    Object.entries(sent).flatMap(([id, { bookmark, acceptedAt }]) =>
      acceptedAt >= requestedAt ? [[id, bookmark]] : [],
    ),
  );

/** The changes of a user that the lists of the server may lack. */
export interface BookmarkState {
  /** The id of the user who made them. */
  owner: string | null;
  /** Changes that the server does not have yet, persisted as bookmarks-storage. */
  pending: BookmarkChanges;
  /** The tracks of added bookmarks that the server does not have yet, by the bookmark's id. */
  tracks: Readonly<Record<string, Track>>;
  /** Changes that the server has accepted since the page was loaded. */
  sent: SentChanges;
}

const changeSchema = z.nullable(api.bookmarks.saveBookmark.response);
const storageSchema = z.catch(
  z.object({
    owner: z.catch(z.nullable(z.string()), null),
    waiting: z.looseObject({}),
    tracks: z.catch(z.record(z.string(), trackSchema), {}),
  }),
  { owner: null, waiting: {}, tracks: {} },
);

/** Parses bookmarks-storage and drops what is invalid. */
export function parseBookmarkStorage(stored: unknown): Pick<BookmarkState, 'owner' | 'pending' | 'tracks'> {
  const { owner, waiting, tracks } = storageSchema.parse(stored);
  const valid = Object.entries(waiting).flatMap(([id, value]) => {
    const change = changeSchema.safeParse(value);
    return change.success && (change.data === null || change.data._id === id)
      ? [[id, change.data] as const]
      : [];
  });
  return { owner, pending: Object.fromEntries(valid), tracks };
}

/**
 * Returns the sent changes with those that the server has accepted.
 *
 * @param acceptedAt - milliseconds of `performance.now`
 */
export function addSent(
  { sent, tracks }: BookmarkState,
  accepted: BookmarkChanges,
  acceptedAt: number,
): SentChanges {
  const added = Object.entries(accepted).map(([id, bookmark]) => {
    return [id, { bookmark, track: tracks[id] ?? sent[id]?.track, acceptedAt }];
  });
  return { ...sent, ...Object.fromEntries(added) };
}

/** A page of bookmarks, and when it was requested, in milliseconds of `performance.now`. */
export interface EntryPage {
  docs: readonly BookmarkEntry[];
  totalDocs: number;
  requestedAt: number;
}

/**
 * Returns the entries of the server's pages that a search finds, newest first, and their total, with the user's changes since
 * then. Outdated pages have to be requested again: they lack or repeat what changed between their requests or since.
 */
export function mergeEntries(
  pages: readonly EntryPage[],
  q: string,
  { pending, tracks, sent }: BookmarkState,
) {
  const loaded = pages.flatMap(({ docs }) => docs);
  const ids = new Set(loaded.map(({ bookmark }) => bookmark._id));
  // The total of the last page lacks what was deleted before that was requested.
  const { totalDocs = 0, requestedAt = 0 } = pages.at(-1) ?? {};
  const sentSince = findSentSince(sent, requestedAt);
  const added = Object.entries({ ...sentSince, ...pending }).flatMap(([id, bookmark]) => {
    const track = tracks[id] ?? sent[id]?.track;
    if (!bookmark || !track || ids.has(id)) return [];
    const isFound = normalizeText(`${bookmark.note} ${track.title}`).includes(normalizeText(q));
    return isFound ? [{ bookmark, track, sentence: null }] : [];
  });
  const changed = pages.flatMap((page) =>
    applyChanges(page.docs, findSentSince(sent, page.requestedAt), pending),
  );
  const isShifted = pages.some((page) => page.totalDocs !== totalDocs);
  const isAdded = Object.entries(sentSince).some(([id, bookmark]) => bookmark !== null && !ids.has(id));
  return {
    entries: removeRepeated([...changed, ...added], ({ bookmark }) => bookmark._id).toSorted((one, other) =>
      other.bookmark.createdAt.localeCompare(one.bookmark.createdAt),
    ),
    total: totalDocs - loaded.length + applyChanges(loaded, sentSince, pending).length + added.length,
    isOutdated: pages.length > 0 && (isShifted || isAdded),
  };
}
