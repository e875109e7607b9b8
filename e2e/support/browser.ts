/** How every browser of ours starts: no calls home, no sandbox (containers have none), the usual rule that sound needs a click. */
export const browserArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--autoplay-policy=document-user-activation-required',
  // Decodes and plays as ever, and lets nobody in the room hear it.
  '--mute-audio',
];

/** The Chromium to start: CHROMIUM_PATH as the test command sets it, else Playwright's own. */
export const chromiumPath = process.env.CHROMIUM_PATH;
