import { Suspense } from 'react';
import { useParams } from 'react-router';
import { PlaylistView } from '../../features/playlists/components/playlist-view.tsx';
import { cornerPart } from '../../shared/part.ts';

const NotFound = cornerPart(async () => (await import('./not-found.tsx')).NotFound, 'more');

/** /playlist/{id} (LIST-06). */
export function PlaylistPage() {
  const { arg = '' } = useParams();
  return (
    <Suspense>
      <PlaylistView key={arg} id={arg} missing={<NotFound />} />
    </Suspense>
  );
}
