import { polling } from '@escucho/purchases';
import { clock } from './billing.ts';

/** Asks until the portal knows of a purchase, as often as its status was asked for. Out: whether it does. */
export async function untilActive(refresh: () => Promise<boolean>): Promise<boolean> {
  for (let attempt = 1; attempt < polling.attempts; attempt += 1) {
    if (await refresh()) return true;
    await clock.wait(polling.pause);
  }
  return refresh();
}
