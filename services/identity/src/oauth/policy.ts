import * as z from 'zod/mini';
import { sha256 } from '../crypto.ts';
import type { ProviderName } from '../database.ts';
import { providerNames } from '../users/presenter.ts';

/** The scope of a sign-in through the JSON operations, which GetUser and GlobalSignOut require. */
export const USER_ADMIN_SCOPE = 'aws.cognito.signin.user.admin';

export const supportedScopes: readonly string[] = ['openid', 'email', 'profile', 'phone', USER_ADMIN_SCOPE];

/** The app as a public OAuth client; its URIs are matched exactly. */
export interface OAuthClient {
  clientId: string;
  redirectUris: readonly string[];
  logoutUris: readonly string[];
  implicit: boolean;
}

const optionalText = z.optional(z.string());

/** A valid authorization request; the schema reads stored ones. */
export const authorizationRequest = z.object({
  responseType: z.enum(['code', 'token']),
  redirectUri: z.string(),
  scope: z.string(),
  state: optionalText,
  /** The S256 code challenge; always set for the response type `code`. */
  codeChallenge: optionalText,
  nonce: optionalText,
  provider: z.optional(z.enum(['google', 'facebook'])),
  loginHint: optionalText,
  lang: optionalText,
  prompt: z.optional(z.enum(['none', 'login'])),
});
export type AuthorizationRequest = z.infer<typeof authorizationRequest>;

/** The error codes of OAuth 2 and OpenID Connect that this provider returns. */
type OAuthErrorCode =
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

/** What of a request decides how the response is delivered: in the query, or of the type `token` in the fragment. */
type ResponseTarget = Pick<AuthorizationRequest, 'redirectUri' | 'state' | 'responseType'>;

/** An error that is sent to the app by a redirect (RFC 6749, 4.1.2.1). */
export class RedirectError extends OAuthError {
  readonly target: ResponseTarget;

  constructor(target: ResponseTarget, code: OAuthErrorCode, description: string) {
    super(code, description);
    this.name = 'RedirectError';
    this.target = target;
  }
}

type PageErrorCode = 'unknownClient' | 'unknownRedirectUri' | 'interrupted' | 'malformed';

/** An error that is shown on a page, because there is no trusted redirect URI to send it to. */
export class PageError extends Error {
  readonly code: PageErrorCode;

  constructor(code: PageErrorCode) {
    super(code);
    this.name = 'PageError';
    this.code = code;
  }
}

/** Converts parameters that have a value. */
function toSearchParams(values: Record<string, string | undefined>): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== undefined) parameters.set(name, value);
  return parameters;
}

/** Builds the URL that delivers an authorization response; the redirect URI's own query is preserved. */
export function buildRedirectUrl(
  { redirectUri, state, responseType }: ResponseTarget,
  response: Record<string, string | undefined>,
): string {
  const parameters = toSearchParams({ ...response, state });
  if (responseType === 'token') return `${redirectUri}#${parameters}`;
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${parameters}`;
}

const MAX_PARAMETER_LENGTH = 2048;
const printable = /^[^\p{Cc}\p{Cs}]*$/u;

/**
 * Reads a parameter of a query or form; an empty one counts as absent.
 * @returns null for a parameter that is repeated, too long, or has control characters
 */
export function readParameter(source: unknown, name: string): string | null | undefined {
  if (typeof source !== 'object' || source === null || !Object.hasOwn(source, name)) return undefined;
  const value: unknown = Reflect.get(source, name);
  if (value === undefined || value === '') return undefined;
  return typeof value === 'string' && value.length <= MAX_PARAMETER_LENGTH && printable.test(value)
    ? value
    : null;
}

/**
 * Reads a parameter that must be one of the client's registered URIs.
 * @throws PageError
 */
export function readRegisteredUri(
  query: unknown,
  name: string,
  { clientId }: OAuthClient,
  registered: readonly string[],
): string {
  if (readParameter(query, 'client_id') !== clientId) throw new PageError('unknownClient');
  const uri = registered.find((candidate) => candidate === readParameter(query, name));
  if (uri === undefined) throw new PageError('unknownRedirectUri');
  return uri;
}

/** The values of `identity_provider`; COGNITO is the pool itself. */
const providers = new Map<string, ProviderName | undefined>([
  ['COGNITO', undefined],
  ['Google', 'google'],
  ['Facebook', 'facebook'],
]);

type Reject = (code: OAuthErrorCode, description: string) => never;

/**
 * Parses an authorization request.
 * @throws PageError for an unknown client or redirect URI, which is never redirected to; RedirectError for the rest
 */
export function parseAuthorizationRequest(query: unknown, client: OAuthClient): AuthorizationRequest {
  const redirectUri = readRegisteredUri(query, 'redirect_uri', client, client.redirectUris);
  const state = readParameter(query, 'state');
  const responseType = readParameter(query, 'response_type');
  const reject: Reject = (code, description) => {
    const type = responseType === 'token' ? 'token' : 'code';
    throw new RedirectError(
      { redirectUri, state: state ?? undefined, responseType: type },
      code,
      description,
    );
  };
  const readText = (name: string): string | undefined => {
    const value = readParameter(query, name);
    return value === null ? reject('invalid_request', `${name} is not one readable line.`) : value;
  };
  const readList = (name: string) => readText(name)?.split(' ').filter(Boolean);
  readText('state');
  if (responseType !== 'code' && responseType !== 'token') {
    return responseType === undefined
      ? reject('invalid_request', 'response_type is missing.')
      : reject('unsupported_response_type', 'response_type is code or token.');
  }
  if (responseType === 'token' && !client.implicit) {
    reject('unauthorized_client', 'The implicit grant is not allowed for this app.');
  }
  const scopes = readList('scope') ?? supportedScopes;
  if (scopes.some((scope) => !supportedScopes.includes(scope))) {
    reject('invalid_scope', 'There is no such scope.');
  }
  const providerName = readText('identity_provider') ?? readText('idp_identifier') ?? 'COGNITO';
  if (!providers.has(providerName)) reject('invalid_request', 'There is no such identity provider.');
  const prompts = readList('prompt') ?? [];
  const isSilent = prompts.includes('none');
  if (isSilent && prompts.length > 1) reject('invalid_request', 'prompt=none stands alone.');
  return {
    responseType,
    redirectUri,
    scope: [...new Set(scopes)].join(' '),
    state: readText('state'),
    codeChallenge: readCodeChallenge(readText, responseType, reject),
    nonce: readText('nonce'),
    provider: providers.get(providerName),
    loginHint: readText('login_hint'),
    lang: readText('lang'),
    prompt: isSilent ? 'none' : prompts.length > 0 ? 'login' : undefined,
  };
}

/** Reads the code challenge. The client is public, so a code requires one with S256 (RFC 7636). */
function readCodeChallenge(
  readText: (name: string) => string | undefined,
  responseType: 'code' | 'token',
  reject: Reject,
): string | undefined {
  const challenge = readText('code_challenge');
  const method = readText('code_challenge_method');
  if (responseType === 'token' && challenge === undefined && method === undefined) return undefined;
  if (challenge === undefined) return reject('invalid_request', 'code_challenge is missing.');
  if (method !== 'S256') return reject('invalid_request', 'code_challenge_method must be S256.');
  if (!/^[\w-]{43}$/.test(challenge)) return reject('invalid_request', 'code_challenge is not one of S256.');
  return challenge;
}

/**
 * Returns the query of an authorization endpoint that repeats a request; the reverse of `parseAuthorizationRequest`. It omits
 * `prompt=none`: a page is shown already, and its links must not end with `login_required`.
 */
export function toQueryString(request: AuthorizationRequest, clientId: string): string {
  return toSearchParams({
    client_id: clientId,
    redirect_uri: request.redirectUri,
    response_type: request.responseType,
    scope: request.scope,
    state: request.state,
    code_challenge: request.codeChallenge,
    code_challenge_method: request.codeChallenge && 'S256',
    nonce: request.nonce,
    identity_provider: request.provider && providerNames[request.provider],
    login_hint: request.loginHint,
    lang: request.lang,
    prompt: request.prompt === 'none' ? undefined : request.prompt,
  }).toString();
}

/** Returns whether a code verifier matches a code challenge (RFC 7636, 4.6). */
export function matchesCodeChallenge(verifier: string, challenge: string): boolean {
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false;
  return sha256(verifier).toString('base64url') === challenge;
}
