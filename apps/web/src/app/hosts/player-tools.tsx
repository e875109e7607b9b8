import type { Track } from '@escucho/contracts';
import { Suspense } from 'react';
import { needWords } from '../../shared/i18n/i18n.ts';
import { part } from '../part.ts';

const Buttons = part(async () => {
  const [{ TrackButtons }] = await Promise.all([
    import('../../features/playlists/components/track-buttons.tsx'),
    needWords('corner'),
  ]);
  return TrackButtons;
});

/** Heart and add-to-playlist of the track that plays. */
export const PlayerTools = ({ track }: { track: Track }) => (
  <Suspense fallback={<span className="size-10" />}>
    <Buttons track={track} />
  </Suspense>
);
