import { Suspense } from 'react';
import { useParams } from 'react-router';
import { PlaylistView } from '#features/playlists/components/playlist-view.tsx';
import { LazyNotFound } from './lazy-not-found.ts';

/** `/playlist/{id}` (LIST-06). */
export function PlaylistPage() {
  const { arg = '' } = useParams();
  return (
    <Suspense>
      <PlaylistView key={arg} id={arg} missing={<LazyNotFound />} />
    </Suspense>
  );
}
