import type { Track } from '@escucho/contracts';
import { DISCOVER_CACHE_KEY, isCacheValid } from '../features/catalogue/discover-cache.ts';
import { readStorage } from '../shared/storage.ts';

/** The fields of a track that the preview renders. */
type PreviewTrack = Pick<Track, 'title' | 'image'>;

/** The fields of the Discover response that the preview renders. */
export interface DiscoverResponse {
  continueListening?: PreviewTrack[];
  rows?: { tracks: PreviewTrack[] }[];
  atLevel?: { tracks: PreviewTrack[] } | null;
}

/** The first tracks of a section, as many as the window shows. */
export interface Row {
  /** Id of the template in the document that renders it (prerender/render-skeleton.tsx). */
  template: 'cards-template' | 'covers-template';
  tracks: PreviewTrack[];
}

/** Covers per row, by the minimum width of the window; the columns of Discover's sections. */
const coversPerRow = [
  { width: 1536, covers: 8 },
  { width: 1280, covers: 6 },
  { width: 1024, covers: 5 },
  { width: 640, covers: 4 },
  { width: 0, covers: 3 },
];

/**
 * Returns the first rows of Discover in their order on the page, each with as many tracks as the window shows.
 *
 * @param begun the tracks of "Continue listening"
 */
export function getFirstRows({ rows = [], atLevel }: DiscoverResponse, begun: PreviewTrack[]): Row[] {
  const count = coversPerRow.find(({ width }) => innerWidth >= width)?.covers;
  const [first, ...others] = rows.filter(({ tracks }) => tracks.length > 0);
  const covers = [first, atLevel, ...others].map((row) => ({
    template: 'covers-template' as const,
    tracks: row?.tracks ?? [],
  }));
  return [{ template: 'cards-template' as const, tracks: begun }, ...covers]
    .filter(({ tracks }) => tracks.length > 0)
    .slice(0, 3)
    .map(({ template, tracks }) => ({
      template,
      tracks: tracks.slice(0, count).map(({ title, image }) => ({ title, image })),
    }));
}

function renderRow({ template: id, tracks }: Row): Node {
  const template = document.getElementById(id);
  if (!(template instanceof HTMLTemplateElement)) return document.createDocumentFragment();
  const row = document.importNode(template.content, true);
  const item = row.querySelector('li');
  item?.replaceWith(
    ...tracks.map(({ title, image }) => {
      const card = document.importNode(item, true);
      card.querySelector('img')?.setAttribute('src', image);
      card.querySelector('p')?.append(title);
      return card;
    }),
  );
  return row;
}

/**
 * Renders the first rows of Discover into its skeleton, so that their covers are shown while the app's code loads. Does
 * nothing if rows are shown already, or the app has replaced the skeleton.
 */
export function renderRows(rows: readonly Row[]): void {
  const preview = document.getElementById('discover-preview');
  if (rows.length > 0 && !preview?.querySelector('img')) preview?.replaceChildren(...rows.map(renderRow));
}

/** Unchecked: any other shape makes `findCachedRows` give up. */
const readJson = (key: string) => JSON.parse(readStorage(key) ?? '{}');

/**
 * Returns the first rows of the user's last Discover page; none where it may not be shown.
 *
 * @param now in milliseconds
 */
export function findCachedRows(now: number): Row[] {
  try {
    const { user } = readJson('user-storage').state;
    const { answer, ...cached } = readJson(DISCOVER_CACHE_KEY);
    if (!isCacheValid(cached, user._id, now)) return [];
    const begun = readJson('continue-listening-storage').state?.entries ?? [];
    return getFirstRows(answer, begun);
  } catch {
    // The stored data is of another version or not ours: the empty skeleton stays.
    return [];
  }
}
