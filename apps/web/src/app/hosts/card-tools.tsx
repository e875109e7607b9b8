import type { Track } from '@escucho/contracts';
import { Suspense } from 'react';
import { needWords } from '../../shared/i18n/i18n.ts';
import { part } from '../part.ts';

// Nobody waits for the tools: the card plays without them.
const TrackTools = part(async () => {
  const [{ TrackCorners }] = await Promise.all([
    import('../../features/playlists/components/track-corners.tsx'),
    needWords('corner'),
  ]);
  return TrackCorners;
});

/** Heart and menu in the corners of a card. */
export const CardTools = ({ track }: { track: Track }) => (
  <Suspense>
    <TrackTools track={track} />
  </Suspense>
);
