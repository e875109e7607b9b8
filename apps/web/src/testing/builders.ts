import type { api, Facets, Playlist, ResponseBody, SearchHit } from '@escucho/contracts';
import { buildTrack, toId } from '../features/player/testing/fixtures.ts';

type SearchResults = ResponseBody<typeof api.catalogue.search>;

/** The counts of five articles. */
export const facets: Facets = {
  language: [
    { value: 'en', count: 3 },
    { value: 'es', count: 2 },
  ],
  level: [{ value: 'B1', count: 4 }],
  kind: [
    { value: 'article', count: 3 },
    { value: 'visual-book', count: 1 },
  ],
  topic: [
    { value: 'daily-life', count: 3 },
    { value: 'deep-sea', count: 1 },
  ],
  length: [{ value: 'short', count: 5 }],
};

/** Builds a result of a search, which matches the start of its title. */
export const buildHit = (number: number, changes: Partial<SearchHit> = {}): SearchHit => ({
  track: buildTrack(number),
  where: 'title',
  titleMarks: [[0, 5]],
  sentence: null,
  ...changes,
});

/** Builds the response of a search. */
export const buildSearchResults = (
  docs: SearchHit[],
  changes: Partial<SearchResults> = {},
): SearchResults => ({
  docs,
  totalDocs: docs.length,
  isMore: false,
  facets,
  isSampled: false,
  corrected: null,
  near: [],
  ...changes,
});

/** Builds a playlist of the user; its id ends in the number. */
export const buildPlaylist = (number: number, changes: Partial<Playlist> = {}): Playlist => ({
  _id: toId(number),
  name: 'Morning walk',
  titles: null,
  origin: 'user',
  active: true,
  images: [],
  totalTracks: 2,
  totalDuration: 200,
  createdAt: '2026-11-01T00:00:00.000Z',
  ...changes,
});

/** Builds a system playlist. */
export const buildSystemPlaylist = (
  number: number,
  name: string,
  titles: Playlist['titles'] = null,
): Playlist => buildPlaylist(number, { name, titles, origin: 'system' });
