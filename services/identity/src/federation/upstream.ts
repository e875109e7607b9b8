/** What another provider says of somebody. */
export interface UpstreamProfile {
  subject: string;
  email: string | null;
  emailVerified: boolean;
  givenName: string | null;
  familyName: string | null;
}

/** A visit to another provider: where it is to send the browser back, and what ties the way back to the way there. */
export interface Visit {
  callback: string;
  state: string;
  nonce: string;
  verifier: string;
  loginHint: string | undefined;
}

/** Another identity provider that may say who somebody is. Both calls may throw anything: people are told nothing of it. */
export interface Upstream {
  /** Where the browser goes. */
  begin(visit: Visit): Promise<URL>;
  /** In: the visit, and the address the browser came back to. */
  finish(visit: Visit, address: URL): Promise<UpstreamProfile>;
}
