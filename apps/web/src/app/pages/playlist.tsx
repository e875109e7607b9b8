import { Suspense } from 'react';
import { PlaylistView } from '#features/playlists/components/playlist-view.tsx';
import { usePathParam } from '#shared/location.tsx';
import { LazyNotFound } from '../error-boundary.tsx';

/** `/playlist/{id}` (LIST-06). */
export function PlaylistPage() {
  const arg = usePathParam('arg') ?? '';
  return (
    <Suspense>
      <PlaylistView key={arg} id={arg} missing={<LazyNotFound />} />
    </Suspense>
  );
}
