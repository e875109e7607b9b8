import type { Track } from '@escucho/contracts';
import type { ComponentType, ReactNode } from 'react';
import { lazyComponent } from '#shared/lazy.ts';
import { LazyBoundary } from '#shared/ui/lazy-boundary.tsx';

type Tools = ComponentType<{ track: Track }>;

/** Returns tools that are loaded after what they are shown in; the fallback takes their place until then. */
function lazyTools(load: () => Promise<Tools>, fallback: ReactNode = null): Tools {
  const Loaded = lazyComponent(load, 'library');
  return ({ track }) => (
    <LazyBoundary fallback={fallback}>
      <Loaded track={track} />
    </LazyBoundary>
  );
}

const loadTools = () => import('#features/playlists/components/track-tools.tsx');
const placeholder = <span className="size-10" />;

/** The like button and the add-to-playlist button of a track. */
export const PlayerTools = lazyTools(async () => (await loadTools()).TrackButtons, placeholder);

/** The like button and the menu of a track in a list, and on its page. */
export const ListTools = lazyTools(async () => (await loadTools()).TrackListTools, placeholder);

/** The like button and the menu of a track's card. */
export const CardTools = lazyTools(async () => (await loadTools()).TrackCardTools);
