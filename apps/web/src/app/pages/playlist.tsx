import { Suspense } from 'react';
import { useParams } from 'react-router';
import { PlaylistView } from '#features/playlists/components/playlist-view.tsx';
import { Missing } from './missing.ts';

/** `/playlist/{id}` (LIST-06). */
export function PlaylistPage() {
  const { arg = '' } = useParams();
  return (
    <Suspense>
      <PlaylistView key={arg} id={arg} missing={<Missing />} />
    </Suspense>
  );
}
