import type { Playlist } from '@escucho/contracts';

/** A playlist's title: of a system one in the reader's language, of the reader's its name; null for the favourites, whose name is ours to say. */
export function titleOf({ origin, titles, name }: Playlist, language: 'en' | 'es'): string | null {
  if (origin === 'auto') return null;
  return titles?.[language] ?? name;
}
