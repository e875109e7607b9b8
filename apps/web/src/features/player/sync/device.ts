import type { DeviceKind } from '@escucho/contracts';
import { detectDeviceKind } from './device-kind.ts';

/** What this device is, as far as its browser says. */
export function getDeviceKind(): DeviceKind {
  const hints: unknown = Reflect.get(navigator, 'userAgentData');
  const isMobile = typeof hints === 'object' && hints !== null && Reflect.get(hints, 'mobile') === true;
  return detectDeviceKind({ agent: navigator.userAgent, touchPoints: navigator.maxTouchPoints, isMobile });
}
