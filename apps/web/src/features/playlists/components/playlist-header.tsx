import type { Playlist } from '@escucho/contracts';
import { Play, Shuffle } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { useFormat, useT } from '#shared/i18n/i18n.ts';
import { later } from '#shared/part.ts';
import { Button } from '#shared/ui/button.tsx';
import { PlaylistCover } from './playlist-cover.tsx';

const OwnerMenu = lazy(later(() => import('./owner-menu.tsx')));

interface Props {
  playlist: Playlist;
  title: string;
  onPlay: () => void;
  onShuffle: () => void;
}

const kinds = {
  system: 'playlists.kindSystem',
  user: 'playlists.kindUser',
  auto: 'playlists.kindAuto',
} as const;

/** Cover, name, how much there is, and what can be done with it as a whole (LIST-06). */
export function PlaylistHeader({ playlist, title, onPlay, onShuffle }: Props) {
  const t = useT();
  const format = useFormat();
  const { totalTracks, totalDuration } = playlist;
  return (
    <header className="flex flex-col gap-5 sm:flex-row sm:items-end sm:gap-7">
      <PlaylistCover playlist={playlist} className="w-40 rounded-lg shadow-pop sm:w-52" />
      <div className="min-w-0">
        <p className="text-sm font-semibold text-accent-text">{t(kinds[playlist.origin])}</p>
        <h1 className="mt-1 font-serif text-2xl font-semibold tracking-tight wrap-anywhere text-balance">
          {title}
        </h1>
        <p className="mt-2 text-muted">
          {t.count('playlists.tracks', totalTracks)}
          {totalTracks > 0 && ` · ${format.minutes(totalDuration)}`}
        </p>
        <div className="mt-5 flex flex-wrap items-center gap-3">
          {totalTracks > 0 && (
            <>
              <Button look="solid" onClick={onPlay}>
                <Play aria-hidden className="size-4" fill="currentColor" />
                {t('playlists.playAll')}
              </Button>
              <Button onClick={onShuffle}>
                <Shuffle aria-hidden className="size-4" />
                {t('playlists.shuffle')}
              </Button>
            </>
          )}
          {playlist.origin === 'user' && (
            <Suspense fallback={<span className="size-11 pointer-fine:size-10" />}>
              <OwnerMenu playlist={playlist} />
            </Suspense>
          )}
        </div>
      </div>
    </header>
  );
}
