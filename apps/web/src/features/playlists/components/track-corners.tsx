import type { Track } from '@escucho/contracts';
import { Heart } from './heart.tsx';
import { TrackMenu } from './track-menu.tsx';

/** Heart and menu where a card has room for them: on its cover, and beside its title. */
export const TrackCorners = ({ track }: { track: Track }) => (
  <div className="pointer-events-none absolute inset-x-0 top-0 z-1 aspect-square [&>button]:pointer-events-auto">
    <Heart track={track} className="absolute! top-1 right-1 bg-surface/85" />
    <TrackMenu track={track} className="absolute! top-full -right-2.5 mt-0.5" />
  </div>
);
