import { DISCOVER_CACHE_KEY, isCacheValid } from '../features/catalogue/model/discover-cache.ts';
import { readStorage } from '../shared/storage.ts';

/** A track as far as it is seen before the app is there. */
interface Seen {
  title: string;
  image: string;
}

/** What Discover answers, as far as it is read here; other answers have none of it. */
export interface Answer {
  continueListening?: Seen[];
  rows?: { tracks: Seen[] }[];
  atLevel?: { tracks: Seen[] } | null;
}

/** A row of tracks, by the template in index.html that it is drawn with. */
interface Shelf {
  shape: 'first-cards' | 'first-covers';
  tracks: Seen[];
}

/** How many covers a row shows, by the least width of the window (the columns in section.tsx). */
const coversInSight = [
  { width: 1536, covers: 8 },
  { width: 1280, covers: 6 },
  { width: 1024, covers: 5 },
  { width: 640, covers: 4 },
  { width: 0, covers: 3 },
];

/** The rows that Discover begins with, in the order of discover-sections.tsx, with as many tracks as the window shows. In: its answer, what was begun. */
export function firstShelves({ rows = [], atLevel }: Answer, begun: Seen[]): Shelf[] {
  const across = coversInSight.find(({ width }) => innerWidth >= width)?.covers;
  const [first, ...others] = rows.filter(({ tracks }) => tracks.length > 0);
  const covers = [first, atLevel, ...others].map((row) => ({
    shape: 'first-covers' as const,
    tracks: row?.tracks ?? [],
  }));
  return [{ shape: 'first-cards' as const, tracks: begun }, ...covers]
    .filter(({ tracks }) => tracks.length > 0)
    .slice(0, 3)
    .map(({ shape, tracks }) => ({ shape, tracks: tracks.slice(0, across) }));
}

/** A row as its template in index.html draws it; nothing where that is not there. */
function drawn({ shape, tracks }: Shelf): Node {
  const template = document.getElementById(shape);
  if (!(template instanceof HTMLTemplateElement)) return document.createDocumentFragment();
  const shelf = document.importNode(template.content, true);
  const card = shelf.querySelector('li');
  card?.replaceWith(
    ...tracks.map(({ title, image }) => {
      const one = document.importNode(card, true);
      one.querySelector('img')?.setAttribute('src', image);
      one.querySelector('p')?.append(title);
      return one;
    }),
  );
  return shelf;
}

/** What is kept under a key, read as it ought to be: whatever is otherwise makes `drawRemembered` give up. */
const keptUnder = (key: string) => JSON.parse(readStorage(key) ?? '{}');

/**
 * Puts what Discover showed its reader last into the page's first shape, where its pictures will stand: they are seen while
 * the app is still being read. Call it when the page is parsed. In: now in milliseconds.
 */
export function drawRemembered(now: number): void {
  try {
    const { user } = keptUnder('user-storage').state;
    const { answer, ...kept } = keptUnder(DISCOVER_CACHE_KEY);
    if (!isCacheValid(kept, user._id, now)) return;
    const begun = keptUnder('continue-listening-storage').state?.entries ?? [];
    const shelves = firstShelves(answer, begun).map(drawn);
    if (shelves.length > 0) document.getElementById('first-shelves')?.replaceChildren(...shelves);
  } catch {
    // What is kept is an older version's, or a stranger's: the empty shape stays.
  }
}
