import type { DeviceKind } from '@escucho/contracts';
import { deviceKindOf } from './model/device-kind.ts';

/** What this device is, as far as its browser says. */
export function deviceKind(): DeviceKind {
  const hints: unknown = Reflect.get(navigator, 'userAgentData');
  const isMobile = typeof hints === 'object' && hints !== null && Reflect.get(hints, 'mobile') === true;
  return deviceKindOf({ agent: navigator.userAgent, touchPoints: navigator.maxTouchPoints, isMobile });
}
