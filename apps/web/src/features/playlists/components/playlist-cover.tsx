import type { Playlist } from '@escucho/contracts';
import { clsx } from 'clsx';
import { Heart, ListMusic } from 'lucide-react';
import { useLanguage, useT } from '#shared/i18n/i18n.ts';

/** Returns a playlist's title in the user's language. */
export function usePlaylistTitle({ origin, titles, name }: Playlist): string {
  const t = useT();
  const language = useLanguage();
  return origin === 'auto' ? t('playlists.favourites') : (titles?.[language] ?? name);
}

interface Props {
  playlist: Pick<Playlist, 'images' | 'origin'>;
  className?: string;
}

/** The decorative cover of a playlist: the artwork of its first four tracks or of the first one, otherwise an icon. */
export function PlaylistCover({ playlist: { images, origin }, className }: Props) {
  const Icon = origin === 'auto' ? Heart : ListMusic;
  const shown = images.slice(0, images.length < 4 ? 1 : 4);
  return (
    <span
      aria-hidden
      className={clsx(
        'grid aspect-square shrink-0 place-items-center overflow-hidden rounded-md bg-overlay text-accent-text',
        shown.length === 4 && 'grid-cols-2',
        className,
      )}
    >
      {shown.map(({ url }, index) => (
        <img
          // biome-ignore lint/suspicious/noArrayIndexKey: two tracks may have the same picture
          key={index}
          src={url}
          alt=""
          width={160}
          height={160}
          decoding="async"
          className="aspect-square w-full object-cover"
        />
      ))}
      {shown.length === 0 && <Icon className="size-2/5" strokeWidth={1.5} />}
    </span>
  );
}
