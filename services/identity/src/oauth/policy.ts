import { createHash } from 'node:crypto';
import type { ProviderName } from '../database.ts';
import { selfScope } from '../sessions/policy.ts';
import { type Answering, type OAuthError, PageFault, RedirectFault } from './faults.ts';

/** How long an authorization code is good for, in milliseconds. */
export const authorizationCodeLifetime = 5 * 60_000;

/** What an app may ask for. */
export const scopes: readonly string[] = ['openid', 'email', 'profile', 'phone', selfScope];

/** The app: where it may be answered. Targets match whole and exactly. */
export interface OAuthClient {
  clientId: string;
  signIn: readonly string[];
  signOut: readonly string[];
  /** Whether tokens may be handed over in the redirect itself. */
  implicit: boolean;
}

/** An authorization request that may go on. */
export interface AuthorizationRequest {
  responseType: 'code' | 'token';
  redirectUri: string;
  scope: string;
  state: string | undefined;
  /** SHA-256 of the app's verifier, base64url; for a code it is always there. */
  challenge: string | undefined;
  nonce: string | undefined;
  /** Who else is to say who it is. */
  provider: ProviderName | undefined;
  loginHint: string | undefined;
  lang: string | undefined;
  prompt: 'none' | 'login' | undefined;
}

const longestText = 2048;
const readable = /^[^\p{Cc}\p{Cs}]*$/u;

/** A parameter that is there once, as one readable line; `many` where it is not so. */
export function parameter(query: unknown, name: string): string | undefined | typeof many {
  if (typeof query !== 'object' || query === null || !Object.hasOwn(query, name)) return undefined;
  const value: unknown = Reflect.get(query, name);
  if (value === undefined || value === '') return undefined;
  return typeof value === 'string' && value.length <= longestText && readable.test(value) ? value : many;
}
export const many = Symbol('not one readable line');

/** The target of a sign-in or sign-out, if it is one of the app's. Throws what is shown on a page otherwise. */
export function checkedTarget(
  query: unknown,
  name: string,
  { clientId }: OAuthClient,
  targets: readonly string[],
): string {
  if (parameter(query, 'client_id') !== clientId) throw new PageFault('unknown-app');
  const target = targets.find((known) => known === parameter(query, name));
  if (target === undefined) throw new PageFault('unknown-address');
  return target;
}

const providers = new Map<string, ProviderName | undefined>([
  ['COGNITO', undefined],
  ['Google', 'google'],
  ['Facebook', 'facebook'],
]);

const answeringOf = (redirectUri: string, state: string | undefined, responseType: unknown): Answering => ({
  redirectUri,
  state,
  inFragment: responseType === 'token',
});

/** Where a request's answer goes. */
export function answering(request: AuthorizationRequest): Answering {
  return answeringOf(request.redirectUri, request.state, request.responseType);
}

/**
 * Reads an authorization request. Throws `PageFault` while it is not known whom to answer (an unknown app or target is
 * never redirected to), `RedirectFault` for everything else.
 */
export function readAuthorizationRequest(query: unknown, client: OAuthClient): AuthorizationRequest {
  const redirectUri = checkedTarget(query, 'redirect_uri', client, client.signIn);
  const given = (name: string) => parameter(query, name);
  const state = given('state');
  const responseType = given('response_type');
  const refuse = (error: OAuthError, description: string): never => {
    const to = answeringOf(redirectUri, state === many ? undefined : state, responseType);
    throw new RedirectFault(to, error, description);
  };
  const text = (name: string): string | undefined => {
    const value = given(name);
    return value === many ? refuse('invalid_request', `${name} is not one readable line.`) : value;
  };
  text('state');
  if (responseType !== 'code' && responseType !== 'token') {
    return responseType === undefined
      ? refuse('invalid_request', 'response_type is missing.')
      : refuse('unsupported_response_type', 'response_type is code or token.');
  }
  if (responseType === 'token' && !client.implicit) {
    refuse('unauthorized_client', 'The implicit grant is not allowed for this app.');
  }
  const scope = text('scope')?.split(' ').filter(Boolean) ?? scopes;
  if (scope.some((one) => !scopes.includes(one))) refuse('invalid_scope', 'There is no such scope.');
  const named = text('identity_provider') ?? text('idp_identifier') ?? 'COGNITO';
  if (!providers.has(named)) refuse('invalid_request', 'There is no such identity provider.');
  const prompts = text('prompt')?.split(' ').filter(Boolean) ?? [];
  const isQuiet = prompts.includes('none');
  if (isQuiet && prompts.length > 1) refuse('invalid_request', 'prompt=none stands alone.');
  return {
    responseType,
    redirectUri,
    scope: [...new Set(scope)].join(' '),
    state: text('state'),
    challenge: challengeIn(text, responseType, refuse),
    nonce: text('nonce'),
    provider: providers.get(named),
    loginHint: text('login_hint'),
    lang: text('lang'),
    prompt: isQuiet ? 'none' : prompts.length > 0 ? 'login' : undefined,
  };
}

/** The app has no secret, so what redeems its code must be tied to who asked for it: no code without S256. */
function challengeIn(
  text: (name: string) => string | undefined,
  responseType: 'code' | 'token',
  refuse: (error: OAuthError, description: string) => never,
): string | undefined {
  const challenge = text('code_challenge');
  const method = text('code_challenge_method');
  if (responseType === 'token' && challenge === undefined && method === undefined) return undefined;
  if (challenge === undefined) return refuse('invalid_request', 'code_challenge is missing.');
  if (method !== 'S256') return refuse('invalid_request', 'code_challenge_method must be S256.');
  if (!/^[\w-]{43}$/.test(challenge)) return refuse('invalid_request', 'code_challenge is not one of S256.');
  return challenge;
}

/** The request as a query again, to go on with on another page. */
export function queryOf(request: AuthorizationRequest, clientId: string): string {
  const provider = [...providers].find(([, name]) => name !== undefined && name === request.provider)?.[0];
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries({
    client_id: clientId,
    redirect_uri: request.redirectUri,
    response_type: request.responseType,
    scope: request.scope,
    state: request.state,
    code_challenge: request.challenge,
    code_challenge_method: request.challenge && 'S256',
    nonce: request.nonce,
    identity_provider: provider,
    login_hint: request.loginHint,
    lang: request.lang,
  })) {
    if (value !== undefined) parameters.set(name, value);
  }
  return parameters.toString();
}

/** Whether a verifier is the one a challenge was made of (RFC 7636). */
export function fitsChallenge(verifier: string, challenge: string): boolean {
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false;
  return createHash('sha256').update(verifier).digest('base64url') === challenge;
}
