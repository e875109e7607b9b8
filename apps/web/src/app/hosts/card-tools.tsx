import type { Track } from '@escucho/contracts';
import { Suspense } from 'react';
import { cornerPart } from '#shared/part.ts';

// Nobody waits for the tools: the card plays without them.
const TrackTools = cornerPart(
  async () => (await import('#features/playlists/components/track-tools.tsx')).TrackCardTools,
);

/** Heart and menu in the corners of a card. */
export const CardTools = ({ track }: { track: Track }) => (
  <Suspense>
    <TrackTools track={track} />
  </Suspense>
);
