import type { Track } from '@escucho/contracts';
import { Suspense } from 'react';
import { lazyComponent } from '#shared/lazy.ts';

const TrackButtons = lazyComponent(
  async () => (await import('#features/playlists/components/track-tools.tsx')).TrackButtons,
  'library',
);
const TrackCardTools = lazyComponent(
  async () => (await import('#features/playlists/components/track-tools.tsx')).TrackCardTools,
  'library',
);

const TrackListTools = lazyComponent(
  async () => (await import('#features/playlists/components/track-tools.tsx')).TrackListTools,
  'library',
);

/** The like button and the add-to-playlist button of a track. */
export const PlayerTools = ({ track }: { track: Track }) => (
  <Suspense fallback={<span className="size-10" />}>
    <TrackButtons track={track} />
  </Suspense>
);

/** The like button and the menu of a track in a list, and on its page. */
export const ListTools = ({ track }: { track: Track }) => (
  <Suspense fallback={<span className="size-10" />}>
    <TrackListTools track={track} />
  </Suspense>
);

/** The like button and the menu of a track's card. */
export const CardTools = ({ track }: { track: Track }) => (
  <Suspense>
    <TrackCardTools track={track} />
  </Suspense>
);
