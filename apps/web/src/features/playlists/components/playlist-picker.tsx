import type { Track } from '@escucho/contracts';
import { Suspense } from 'react';
import { create } from 'zustand';
import { lazyComponent } from '#shared/lazy.ts';

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
  return <Suspense>{track && <PickerDialog track={track} onClose={closePlaylistPicker} />}</Suspense>;
}
