import type { Track } from '@escucho/contracts';
import { Suspense } from 'react';
import { lazyComponent } from '#shared/lazy.ts';

// Nobody waits for the tools: the card plays without them.
const TrackTools = lazyComponent(
  async () => (await import('#features/playlists/components/track-tools.tsx')).TrackCardTools,
  'library',
);

/** Heart and menu in the corners of a card. */
export const CardTools = ({ track }: { track: Track }) => (
  <Suspense>
    <TrackTools track={track} />
  </Suspense>
);
