import { Suspense } from 'react';
import { useParams } from 'react-router';
import { PlaylistView } from '../../features/playlists/components/playlist-view.tsx';
import { needWords } from '../../shared/i18n/i18n.ts';
import { part } from '../../shared/part.ts';

const NotFound = part(async () => {
  const [{ NotFound }] = await Promise.all([import('./not-found.tsx'), needWords('more')]);
  return NotFound;
});

/** /playlist/{id} (LIST-06). */
export function PlaylistPage() {
  const { arg = '' } = useParams();
  return (
    <Suspense>
      <PlaylistView key={arg} id={arg} missing={<NotFound />} />
    </Suspense>
  );
}
