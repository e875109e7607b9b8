/** Browsers as they name themselves; those that also name others come first. */
const browsers = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
] as const;
const systems = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const;

/** What people call a device by. In: what its browser called itself. Out: null where nothing is to be recognised. */
export function deviceName(agent: string | null): { browser: string; system: string } | null {
  const nameIn = (table: readonly (readonly [string, RegExp])[]) =>
    table.find(([, pattern]) => pattern.test(agent ?? ''))?.[0];
  const [browser, system] = [nameIn(browsers), nameIn(systems)];
  return browser && system ? { browser, system } : null;
}
