import type { Track } from '@escucho/contracts';
import { create } from 'zustand';
import { lazyComponent } from '#shared/lazy.ts';
import { LazyBoundary } from '#shared/ui/lazy-boundary.tsx';

const PickerDialog = lazyComponent(
  async () => (await import('./picker-dialog.tsx')).PickerDialog,
  'library',
  'auth',
);

const usePicker = create<{ track: Track | null }>(() => ({ track: null }));

/** Opens the add-to-playlist dialog for a track (LIST-03). */
export const openPlaylistPicker = (track: Track): void => usePicker.setState({ track });

/** Closes the add-to-playlist dialog. */
export const closePlaylistPicker = (): void => usePicker.setState({ track: null });

/** The add-to-playlist dialog, where it is mounted; nothing until it is opened. */
export function PlaylistPicker() {
  const track = usePicker((picker) => picker.track);
  return (
    <LazyBoundary onFailed={closePlaylistPicker}>
      {track && <PickerDialog track={track} onClose={closePlaylistPicker} />}
    </LazyBoundary>
  );
}
