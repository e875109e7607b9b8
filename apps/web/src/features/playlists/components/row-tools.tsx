import type { Track } from '@escucho/contracts';
import { useFormat } from '#shared/i18n/i18n.ts';
import type { MenuEntry } from '#shared/ui/menu.tsx';
import { Heart } from './heart.tsx';
import { TrackMenu } from './track-menu.tsx';

/** The end of a row: heart, length, menu. */
export default function RowTools({ track, more }: { track: Track; more: readonly MenuEntry[] }) {
  const format = useFormat();
  return (
    <>
      <Heart track={track} className="z-1 max-sm:hidden" />
      <span className="pointer-events-none w-12 text-right text-xs text-muted tabular-nums max-sm:hidden">
        {format.clock(track.duration)}
      </span>
      <TrackMenu track={track} more={more} className="z-1 -mr-2" />
    </>
  );
}
