import type { Track } from '@escucho/contracts';
import { Suspense } from 'react';
import { cornerPart } from '#shared/part.ts';

const Buttons = cornerPart(
  async () => (await import('#features/playlists/components/track-tools.tsx')).TrackButtons,
);

/** Heart and add-to-playlist of the track that plays. */
export const PlayerTools = ({ track }: { track: Track }) => (
  <Suspense fallback={<span className="size-10" />}>
    <Buttons track={track} />
  </Suspense>
);
