import { expect as playwrightExpect } from '@playwright/test';

/**
 * Playwright's `expect` with the patience of slow machines, also outside of tests, where no configuration applies. No test
 * asserts how long something takes.
 */
export const expect = playwrightExpect.configure({ timeout: 40_000 });

/** Command-line arguments of every browser: no background requests, no sandbox (as in containers), the default autoplay policy. */
export const browserArgs = [
  // No test depends on a server outside; a route would disable the HTTP cache.
  '--host-resolver-rules=MAP www.googletagmanager.com ~NOTFOUND',
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--autoplay-policy=document-user-activation-required',
  // Audio is decoded and played, but not sent to the speakers.
  '--mute-audio',
];

/** The path of the Chromium that `npm test` found; Playwright's own if undefined. */
export const chromiumPath = process.env.CHROMIUM_PATH;
