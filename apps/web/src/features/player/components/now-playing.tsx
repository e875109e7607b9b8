import { useT } from '#shared/i18n/i18n.ts';
import { usePlayer } from '../engine/store.ts';
import { Cover } from './cover.tsx';

/** Cover, title and narrator of the active track: one button that opens the player. */
export function NowPlaying({ onOpen, onNear }: { onOpen: () => void; onNear: () => void }) {
  const t = useT();
  const track = usePlayer((player) => player.activeTrack);
  if (!track)
    return (
      <div className="flex min-w-0 items-center gap-3">
        <Cover src={undefined} size={56} className="size-12 shrink-0 rounded-sm md:size-14" />
        <div className="min-w-0">
          <p className="truncate text-sm font-semibold">{t('player.nothing')}</p>
          <p className="truncate text-xs text-muted">{t('player.nothingHint')}</p>
        </div>
      </div>
    );
  return (
    <button
      type="button"
      onClick={onOpen}
      onPointerEnter={onNear}
      onFocus={onNear}
      className="flex min-w-0 items-center gap-3 rounded-sm text-left"
    >
      <Cover src={track.image} size={56} className="size-12 shrink-0 rounded-sm md:size-14" />
      <span className="min-w-0">
        <span className="sr-only">{t('player.open')}: </span>
        <span lang={track.language} className="block truncate text-sm font-semibold">
          {track.title}
        </span>
        <span className="block truncate text-xs text-muted">{track.artist}</span>
      </span>
    </button>
  );
}
