import { favouritesName, limits, type Playlist } from '@escucho/contracts';

/**
 * Returns the API's filter for the user's own playlists (LIST-04), without the favourites; by name only beyond 3 characters.
 *
 * @param text - What the search box holds.
 */
export function toPlaylistFilter(text: string) {
  const name = text.trim();
  return {
    origin: 'user',
    name: { $ne: favouritesName, ...(name.length >= limits.search.minLength && { $regex: name }) },
  };
}

/** Returns a playlist's title in a language; null for the favourites, whose title is a message of the app. */
export function getPlaylistTitle({ origin, titles, name }: Playlist, language: 'en' | 'es'): string | null {
  if (origin === 'auto') return null;
  return titles?.[language] ?? name;
}
