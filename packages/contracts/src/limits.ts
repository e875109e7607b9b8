/** Business constants of section 9 of the specification and the limits of the API. Times in milliseconds unless the name has a unit. */
export const limits = {
  name: { min: 2, max: 60 },
  email: { max: 254 },
  /** An email address that signs in; Cognito's usernames have at most 128 characters. */
  username: { max: 128 },
  password: { min: 8, max: 256 },
  code: { max: 32 },
  passkeyName: { max: 60 },
  playlistName: { min: 6, max: 80 },
  playlists: { perUser: 500, tracks: 20_000, tracksAtOnce: 500 },
  bookmarks: { perUser: 5000, note: 500 },
  page: { default: 1, max: 100_000 },
  pageSize: { default: 20, max: 100 },
  /** Rows of a list that are shown: browsers limit the height of a page. */
  list: { shown: 150_000 },
  notifications: { pageSize: 10 },
  search: { minLength: 4, debounce: 500, maxLength: 120, hits: 100 },
  topic: { max: 60 },
  narrator: { max: 100 },
  token: { max: 8192 },
  /** The age of a sign-in up to which it permits what `requiresRecentSignIn` protects. */
  recentSignIn: { maxAgeSeconds: 600 },
  timeZone: { max: 64 },
  statistics: { days: 30 },
  positionSeconds: { max: 60 * 60 * 100 },
  /** Of one entry: a week of playing without a connection. */
  secondsPlayed: { max: 7 * 24 * 60 * 60 },
  toast: { close: 5000 },
  autoSignIn: { window: 3 * 60_000 },
  player: {
    tick: 1000,
    skipSeconds: 15,
    speeds: [1, 1.5, 2],
    anySpeed: { min: 0.5, max: 2, step: 0.05 },
    // Seconds. A position beyond `far` is not replaced by one before `start`, nor by another device's start, unless the
    // user seeks; positions closer than `same` count as equal.
    position: { start: 5, far: 30, same: 5 },
  },
} as const;
