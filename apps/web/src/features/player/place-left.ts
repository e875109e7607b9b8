import { getFormat, getT } from '#shared/i18n/i18n.ts';
import { toast } from '#shared/ui/toast.ts';
import { deviceKind } from './device.ts';
import { dispatch } from './dispatch.ts';
import type { Effect } from './model/player-state.ts';
import { usePlayer } from './store.ts';

/** Says that the place changed, and offers the way back: no place is lost unasked (PLAY-05). */
export function sayPlaceLeft({ track, from, to, why }: Extract<Effect, { type: 'placeLeft' }>) {
  const [t, format] = [getT(), getFormat()];
  // "On a phone" says nothing to who holds one.
  const device = why === deviceKind() ? 'elsewhere' : why;
  const times = { from: format.time(from), to: format.time(to) };
  toast(t(`tools.left_${device}`, times), 'message', 'top-right', {
    label: t('tools.backTo', { time: times.from }),
    run: () => {
      if (usePlayer.getState().activeTrack?._id === track._id) dispatch({ type: 'seek', position: from });
    },
  });
}
