import type { DeviceKind } from '@escucho/contracts';
import * as z from 'zod/mini';
import { createUuid } from '#shared/uuid.ts';
import type { TabPosition, TabSignal } from '../model/state.ts';

/** What a browser reports about its device. */
export interface DeviceHints {
  userAgent: string;
  maxTouchPoints: number;
  /** `userAgentData.mobile` of Chromium; false in other browsers. */
  isMobile: boolean;
}

/** Returns the kind of a device. An iPad reports itself as a Mac with touch points; an Android tablet omits "Mobile". */
export function detectDeviceKind({ userAgent, maxTouchPoints, isMobile }: DeviceHints): DeviceKind {
  if (/\biPad\b/.test(userAgent) || (/\bMacintosh\b/.test(userAgent) && maxTouchPoints > 1)) return 'tablet';
  if (isMobile || /\b(iPhone|iPod|Mobile)\b/.test(userAgent)) return 'phone';
  return /\b(Android|Tablet)\b/.test(userAgent) ? 'tablet' : 'computer';
}

/** Returns the kind of this device. */
export function getDeviceKind(): DeviceKind {
  const data: unknown = Reflect.get(navigator, 'userAgentData');
  const isMobile = typeof data === 'object' && data !== null && Reflect.get(data, 'mobile') === true;
  const { userAgent, maxTouchPoints } = navigator;
  return detectDeviceKind({ userAgent, maxTouchPoints, isMobile });
}

const signalSchema = z.enum(['begins', 'goesOn']);
const beginningSchema = z.object({ begun: z.string() });
const positionSchema = z.object({ id: z.string(), position: z.number().check(z.minimum(0)) });

/** Signals of tabs that begin within this time may cross. For those after it, the clock may have been set back. */
const CROSSING_MS = 5_000;

/**
 * Connects this tab to the browser's other tabs with a player, over a broadcast channel: there is no lock that a closed
 * tab could hold. Of two tabs whose signals cross, the one that began last goes on.
 */
export function connectTabs(
  onSignal: (signal: TabSignal) => void,
  onPosition: (position: TabPosition) => void,
) {
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('escucho-player');
  let own = { begun: '', time: Number.NEGATIVE_INFINITY };
  /** When playing began in the tab whose signal follows; null for a tab with an older version of the app. */
  let otherBegun: string | null = null;
  const isOwnNewer = () =>
    otherBegun !== null && own.begun > otherBegun && performance.now() - own.time < CROSSING_MS;
  channel?.addEventListener('message', ({ data }) => {
    const beginning = beginningSchema.safeParse(data);
    if (beginning.success) otherBegun = beginning.data.begun;
    const signal = signalSchema.safeParse(data);
    if (signal.data === 'goesOn' || (signal.data === 'begins' && !isOwnNewer())) onSignal(signal.data);
    if (signal.success) otherBegun = null;
    const position = positionSchema.safeParse(data);
    if (position.success) onPosition(position.data);
  });
  return {
    post: (message: TabSignal | TabPosition): void => {
      if (message === 'begins') {
        // The UUID decides between equal times.
        own = { begun: `${Date.now()} ${createUuid()}`, time: performance.now() };
        channel?.postMessage({ begun: own.begun });
      }
      channel?.postMessage(message);
    },
    close: (): void => channel?.close(),
  };
}
