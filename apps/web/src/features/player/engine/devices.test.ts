import { expect, it } from 'vitest';
import { detectDeviceKind } from './devices.ts';

const android = 'Mozilla/5.0 (Linux; Android 14; ';
const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0';
const mac =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15';

it.each([
  ['an Android phone', `${android}Pixel 7) ${chrome} Mobile Safari/537.36`, 5, true, 'phone'],
  ['an Android phone with a reduced user agent', `${android}K) ${chrome} Safari/537.36`, 5, true, 'phone'],
  ['an Android tablet', `${android}SM-X200) ${chrome} Safari/537.36`, 5, false, 'tablet'],
  ['Firefox on an Android phone', 'Mozilla/5.0 (Android 14; Mobile; rv:140.0)', 5, false, 'phone'],
  ['Firefox on an Android tablet', 'Mozilla/5.0 (Android 14; Tablet; rv:140.0)', 5, false, 'tablet'],
  ['an iPhone', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0) Mobile/15E148 Safari/604.1', 5, false, 'phone'],
  ['an iPad with its own user agent', 'Mozilla/5.0 (iPad; CPU OS 12_0) Mobile/15E148', 5, false, 'tablet'],
  ['an iPad with the user agent of a Mac', mac, 5, false, 'tablet'],
  ['a Mac', mac, 0, false, 'computer'],
  ['a laptop with a touch screen', `Mozilla/5.0 (Windows NT 10.0) ${chrome}`, 10, false, 'computer'],
  ['a Chromebook', `Mozilla/5.0 (X11; CrOS x86_64) ${chrome}`, 10, false, 'computer'],
  ['an empty user agent', '', 0, false, 'computer'],
] as const)('[PLAY-05] %s', (_device, agent, touchPoints, isMobile, expected) => {
  expect(detectDeviceKind({ userAgent: agent, maxTouchPoints: touchPoints, isMobile })).toBe(expected);
});
