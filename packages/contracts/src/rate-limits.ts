/** A rate limit: how many attempts one subject has in a window, which begins with its first attempt. */
export interface RateLimit {
  /** The name of the counter, which the limits of several routes may share. Lower case, as the header RateLimit requires. */
  readonly name: string;
  /**
   * Whose attempts are counted together: those of a signed-in user, of an account that is named in the request, of a
   * network (an IPv4 address or the /64 of an IPv6 address), or of everybody.
   */
  readonly by: 'user' | 'account' | 'network' | 'everybody';
  readonly limit: number;
  readonly windowSeconds: number;
}

const MINUTE = 60;
const QUARTER = 15 * MINUTE;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const limit = (name: string, by: RateLimit['by'], count: number, windowSeconds: number): RateLimit => ({
  name,
  by,
  limit: count,
  windowSeconds,
});

/**
 * The rate limits of all services, by what they protect. Limits of a network are high, because a school or a mobile
 * carrier shares one address among its users. Limits of everybody bound what many networks can do together.
 */
export const rateLimits = {
  // Of the API, by user
  read: [limit('read', 'user', 1200, MINUTE)],
  write: [limit('write', 'user', 300, MINUTE)],
  search: [limit('search', 'user', 240, MINUTE)],
  // The web app requests up to 250 pages when it refreshes a list of 5,000 that was scrolled to its end.
  bookmarkList: [limit('bookmark-list', 'user', 600, MINUTE)],
  /** Requests that read all of a user's events of a month. The web app repeats one after a minute at the earliest. */
  report: [limit('report', 'user', 30, MINUTE)],
  // The player saves every few seconds. The day's quota bounds the growth of the listening journal.
  progress: [limit('progress', 'user', 240, MINUTE), limit('progress-day', 'user', 20_000, DAY)],
  // The web app opens one with each page that is loaded; how many are open is limited, too.
  stream: [limit('stream', 'user', 240, MINUTE)],
  export: [limit('export', 'user', 10, HOUR)],
  deleteAccount: [limit('delete-account', 'user', 10, HOUR)],
  /** Requests that query the billing provider. */
  subscription: [limit('subscription', 'user', 120, MINUTE)],
  /** Requests that change something at the payment gateway. */
  payment: [limit('payment', 'user', 60, QUARTER)],
  /** Requests of visitors without an account. */
  visitor: [limit('visitor', 'network', 600, MINUTE)],
  operatorSignIn: [limit('operator-sign-in', 'network', 300, MINUTE)],

  // Of the identity provider
  /** Either step of a sign-in, and sign-in at the hosted pages. */
  signIn: [limit('sign-in', 'network', 3000, QUARTER)],
  signUp: [limit('sign-up', 'network', 300, HOUR)],
  /** Tokens for a refresh token or an authorization code. */
  tokens: [limit('tokens', 'network', 6000, QUARTER)],
  /** Requests that are authenticated by an access token in the body, and pages that start a sign-in. */
  identity: [limit('identity', 'network', 6000, QUARTER)],
  /** Requests for a code by mail, and attempts to redeem one. */
  codes: [limit('codes', 'network', 1200, HOUR)],
  /**
   * Requests for a mail, and mails that are delivered. Those of one account are limited in the transaction that sends them.
   */
  mail: [limit('mail', 'network', 300, HOUR), limit('mail-total', 'everybody', 10_000, HOUR)],
  /**
   * Wrong codes and passkeys, and wrong guesses of codes that exist. Beyond the limit of everybody, only networks are refused
   * that have sent a wrong code. Those of one account are limited in the transaction that redeems the code.
   */
  wrongCode: [limit('wrong-code', 'network', 100, HOUR), limit('wrong-code-total', 'everybody', 3000, HOUR)],
  wrongPassword: [limit('wrong-password', 'network', 300, QUARTER)],

  // Of the billing provider
  billing: [limit('billing', 'network', 12_000, QUARTER)],
  purchase: [limit('purchase', 'network', 300, HOUR)],
  purchaseByUser: [limit('purchase-user', 'account', 30, HOUR)],
  customerPortal: [limit('customer-portal', 'network', 300, HOUR)],
  /** The controls of simulators, which exist in demo mode only. */
  simulator: [limit('simulator', 'network', 1200, QUARTER)],
} as const satisfies Record<string, readonly RateLimit[]>;

export type RateLimitName = keyof typeof rateLimits;
