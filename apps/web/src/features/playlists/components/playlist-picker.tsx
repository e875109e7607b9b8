import { lazy, Suspense } from 'react';
import { needWords } from '../../../shared/i18n/i18n.ts';
import { closePicker, usePicked } from '../picker.ts';

const PickerDialog = lazy(async () => {
  const [{ PickerDialog: dialog }] = await Promise.all([import('./picker-dialog.tsx'), needWords('corner')]);
  return { default: dialog };
});

/** The add-to-playlist modal where it belongs in the page: nothing until it is asked for. */
export function PlaylistPicker() {
  const track = usePicked();
  return <Suspense>{track && <PickerDialog track={track} onClose={closePicker} />}</Suspense>;
}
