/** The error codes of OAuth 2 that we answer. */
export type OAuthError =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_token'
  | 'access_denied'
  | 'login_required'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'unsupported_token_type'
  | 'server_error'
  | 'temporarily_unavailable';

/** A refusal at an OAuth endpoint. The description is for developers; it never repeats what was sent. */
export class OAuthFault extends Error {
  readonly error: OAuthError;

  constructor(error: OAuthError, description: string) {
    super(description);
    this.name = 'OAuthFault';
    this.error = error;
  }
}

/** Where an authorization request's answer goes: a redirect target that was checked, and how it is to be put there. */
export interface Answering {
  redirectUri: string;
  state: string | undefined;
  inFragment: boolean;
}

/** A refusal that the app learns of: the browser is sent back to it. */
export class RedirectFault extends OAuthFault {
  readonly to: Answering;

  constructor(to: Answering, error: OAuthError, description: string) {
    super(error, description);
    this.name = 'RedirectFault';
    this.to = to;
  }
}

/** What is shown on a page of ours, because there is nobody to send the browser back to. */
export type PageFlaw = 'unknown-app' | 'unknown-address' | 'interrupted' | 'unreadable';

export class PageFault extends Error {
  readonly flaw: PageFlaw;

  constructor(flaw: PageFlaw) {
    super(flaw);
    this.name = 'PageFault';
    this.flaw = flaw;
  }
}

/** The address a browser is sent back to with an answer; what the target's own query holds stays. */
export function answerAddress(to: Answering, answer: Record<string, string | undefined>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...answer, state: to.state })) {
    if (value !== undefined) parameters.set(name, value);
  }
  if (to.inFragment) return `${to.redirectUri}#${parameters}`;
  return `${to.redirectUri}${to.redirectUri.includes('?') ? '&' : '?'}${parameters}`;
}
