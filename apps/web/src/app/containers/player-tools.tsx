import type { Track } from '@escucho/contracts';
import { Suspense } from 'react';
import { lazyComponent } from '#shared/lazy.ts';

const Buttons = lazyComponent(
  async () => (await import('#features/playlists/components/track-tools.tsx')).TrackButtons,
  'library',
);

/** Heart and add-to-playlist of the track that plays. */
export const PlayerTools = ({ track }: { track: Track }) => (
  <Suspense fallback={<span className="size-10" />}>
    <Buttons track={track} />
  </Suspense>
);
