/** Business constants of the specification's section 9 and the limits every endpoint keeps. Times in milliseconds unless the name says otherwise. */
export const limits = {
  name: { min: 2, max: 60 },
  email: { max: 254 },
  password: { min: 8, max: 256 },
  code: { max: 32 },
  playlistName: { min: 6, max: 80 },
  page: { default: 1, max: 100_000 },
  pageSize: { default: 20, max: 100 },
  notifications: { pageSize: 10 },
  search: { minLength: 4, debounce: 500, maxLength: 120 },
  token: { max: 8192 },
  positionSeconds: { max: 60 * 60 * 100 },
  toast: { close: 5000 },
  autoSignIn: { window: 3 * 60_000 },
  player: { tick: 1000, skipSeconds: 15, speeds: [1, 1.5, 2] },
  layout: { maxWidthPx: 1950 },
} as const;
