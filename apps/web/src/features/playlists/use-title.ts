import type { Playlist } from '@escucho/contracts';
import { useLanguage, useT } from '#shared/i18n/i18n.ts';
import { titleOf } from './model/title.ts';

/** A playlist's title in the reader's language. */
export function useTitle(playlist: Playlist): string {
  const t = useT();
  return titleOf(playlist, useLanguage()) ?? t('playlists.favourites');
}
