import type { Track } from '@escucho/contracts';
import { create } from 'zustand';

const usePicker = create<{ track: Track | null }>(() => ({ track: null }));

/** The track that is being added to a playlist, or null. */
export const usePicked = (): Track | null => usePicker((picker) => picker.track);

/** Asks to which playlist a track goes (LIST-03). */
export const openPicker = (track: Track): void => usePicker.setState({ track });

/** Enough of that. */
export const closePicker = (): void => usePicker.setState({ track: null });
