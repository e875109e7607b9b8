import { favouritesName, limits } from '@escucho/contracts';

/**
 * Which playlists the reader looks for (LIST-04): their own, never the favourites; by name only beyond 3 characters.
 * In: what the search box holds. Out: a filter of the API.
 */
export function ownPlaylists(text: string) {
  const name = text.trim();
  const looksFor = name.length >= limits.search.minLength;
  return { origin: 'user', name: { $ne: favouritesName, ...(looksFor && { $regex: name }) } };
}
