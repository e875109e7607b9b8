import { Suspense } from 'react';
import { useParams } from 'react-router';
import { PlaylistView } from '../../features/playlists/components/playlist-view.tsx';
import { part } from '../part.ts';

const NotFound = part(async () => (await import('./not-found.tsx')).NotFound);

/** /playlist/{id} (LIST-06). */
export function PlaylistPage() {
  const { arg = '' } = useParams();
  return (
    <Suspense>
      <PlaylistView key={arg} id={arg} missing={<NotFound />} />
    </Suspense>
  );
}
