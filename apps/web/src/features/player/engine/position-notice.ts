import { getFormat, getT } from '#shared/i18n/i18n.ts';
import { toast } from '#shared/ui/toast.ts';
import type { Effect } from '../model/state.ts';
import { getDeviceKind } from '../sync/device.ts';
import { dispatch } from './events.ts';
import { usePlayer } from './store.ts';

/** Says that the place changed, and offers the way back: no place is lost unasked (PLAY-05). */
export function showPositionChange({ track, from, to, why }: Extract<Effect, { type: 'positionChanged' }>) {
  const [t, format] = [getT(), getFormat()];
  // "On a phone" says nothing to who holds one.
  const device = why === getDeviceKind() ? 'elsewhere' : why;
  const times = { from: format.time(from), to: format.time(to) };
  toast(t(`tools.left_${device}`, times), 'message', 'top-right', {
    label: t('tools.backTo', { time: times.from }),
    run: () => {
      if (usePlayer.getState().activeTrack?._id === track._id) dispatch({ type: 'seek', position: from });
    },
  });
}
