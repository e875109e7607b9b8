import type { DeviceKind } from '@escucho/contracts';

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
