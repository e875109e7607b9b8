import type { DeviceKind } from '@escucho/contracts';
import * as z from 'zod/mini';
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
const positionSchema = z.object({ id: z.string(), position: z.number().check(z.minimum(0)) });

/**
 * Connects this tab to the browser's other tabs with a player, over a broadcast channel: there is no lock that a closed
 * tab could hold.
 */
export function connectTabs(
  onSignal: (signal: TabSignal) => void,
  onPosition: (position: TabPosition) => void,
) {
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('escucho-player');
  channel?.addEventListener('message', ({ data }) => {
    const signal = signalSchema.safeParse(data);
    if (signal.success) onSignal(signal.data);
    const position = positionSchema.safeParse(data);
    if (position.success) onPosition(position.data);
  });
  return {
    post: (message: TabSignal | TabPosition): void => channel?.postMessage(message),
    close: (): void => channel?.close(),
  };
}
