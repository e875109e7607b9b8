import { getFormat, getT } from '#shared/i18n/i18n.ts';
import { toast } from '#shared/ui/toast.tsx';
import type { Effect } from '../model/state.ts';
import { getDeviceKind } from '../sync/device-kind.ts';
import { dispatch, usePlayer } from './store.ts';

/** Shows a toast that the position changed, with a button to go back (PLAY-05). */
export function showPositionChange({
  track,
  from,
  to,
  reason,
}: Extract<Effect, { type: 'positionChanged' }>): void {
  const t = getT();
  const format = getFormat();
  // "On a phone" does not identify the other device to the user of a phone.
  const device = reason === 'otherDevice' || reason === getDeviceKind() ? 'elsewhere' : reason;
  const times = { from: format.time(from), to: format.time(to) };
  toast(t(`tools.left_${device}`, times), 'message', 'top-right', {
    label: t('tools.backTo', { time: times.from }),
    run: () => {
      if (usePlayer.getState().activeTrack?._id === track._id) dispatch({ type: 'seek', position: from });
    },
  });
}
