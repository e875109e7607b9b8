/** The error codes of OAuth 2 and OpenID Connect that this provider returns. */
export type OAuthErrorCode =
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
  | 'server_error';

/** An error of an OAuth endpoint. The description is for developers and never repeats the request. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode;

  constructor(code: OAuthErrorCode, description: string) {
    super(description);
    this.name = 'OAuthError';
    this.code = code;
  }
}

/** How an authorization response is delivered: a registered redirect URI, the state, and whether it is the query or the fragment. */
export interface ResponseTarget {
  redirectUri: string;
  state: string | undefined;
  inFragment: boolean;
}

/** An error that is sent to the app by a redirect (RFC 6749, 4.1.2.1). */
export class RedirectError extends OAuthError {
  readonly target: ResponseTarget;

  constructor(target: ResponseTarget, code: OAuthErrorCode, description: string) {
    super(code, description);
    this.name = 'RedirectError';
    this.target = target;
  }
}

export type PageErrorCode = 'unknownClient' | 'unknownRedirectUri' | 'interrupted' | 'malformed';

/** An error that is shown on a page, because there is no trusted redirect URI to send it to. */
export class PageError extends Error {
  readonly code: PageErrorCode;

  constructor(code: PageErrorCode) {
    super(code);
    this.name = 'PageError';
    this.code = code;
  }
}

/** Builds the URL that delivers an authorization response; the redirect URI's own query is preserved. */
export function buildRedirectUrl(
  { redirectUri, state, inFragment }: ResponseTarget,
  response: Record<string, string | undefined>,
): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...response, state })) {
    if (value !== undefined) parameters.set(name, value);
  }
  if (inFragment) return `${redirectUri}#${parameters}`;
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${parameters}`;
}
