import { Suspense } from 'react';
import { dialog } from '../dialog.ts';
import { closePicker, usePicked } from '../picker.ts';

const PickerDialog = dialog(() => import('./picker-dialog.tsx'));

/** The add-to-playlist modal where it belongs in the page: nothing until it is asked for. */
export function PlaylistPicker() {
  const track = usePicked();
  return <Suspense>{track && <PickerDialog track={track} onClose={closePicker} />}</Suspense>;
}
