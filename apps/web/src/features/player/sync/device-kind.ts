import type { DeviceKind } from '@escucho/contracts';

/** What a browser says of its device. */
export interface Device {
  agent: string;
  /** How many fingers the screen feels at once. */
  touchPoints: number;
  /** What Chromium says by itself; false elsewhere. */
  isMobile: boolean;
}

/** What kind of device a reader holds. An iPad calls itself a Mac, but feels fingers; an Android tablet does not say "Mobile". */
export function detectDeviceKind({ agent, touchPoints, isMobile }: Device): DeviceKind {
  if (/\biPad\b/.test(agent) || (/\bMacintosh\b/.test(agent) && touchPoints > 1)) return 'tablet';
  if (isMobile || /\b(iPhone|iPod|Mobile)\b/.test(agent)) return 'phone';
  return /\b(Android|Tablet)\b/.test(agent) ? 'tablet' : 'computer';
}
