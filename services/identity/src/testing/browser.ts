import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { createRandomToken, sha256 } from '../crypto.ts';
import type { OAuthOptions } from '../options.ts';
import { clientId } from './pool.ts';

export const baseUrl = 'http://localhost:3000/identity';
export const redirectUri = 'http://localhost:3000/auth/sign-in';
export const logoutUri = 'http://localhost:3000/auth/sign-out';

/** Options of the hosted pages, as of the embedded default. */
export const oauthOptions: OAuthOptions = {
  addresses: [baseUrl, 'http://127.0.0.1:3000/identity'],
  redirectUris: [redirectUri, 'http://127.0.0.1:3000/auth/sign-in'],
  logoutUris: [logoutUri],
  app: { signUp: '/auth/sign-up', forgotPassword: '/auth/forgot-password' },
};

/** Creates a PKCE verifier and challenge. */
export function createPkce() {
  const verifier = createRandomToken();
  return { verifier, challenge: sha256(verifier).toString('base64url') };
}

/** Builds a query for /oauth2/authorize. */
export function buildAuthorizationQuery(
  challenge: string,
  overrides: Record<string, string | undefined> = {},
) {
  const parameters = {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid email profile',
    state: 'app-state',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...overrides,
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value);
  return query.toString();
}

/** Returns the error of an OAuth endpoint's response. */
export const getErrorCode = (response: LightMyRequestResponse): unknown => response.json().error;

/** Decodes the numeric character references of escaped HTML. */
export const unescapeHtml = (html: string) =>
  html.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

/** Returns the action and hidden fields of a page's first form. */
export function parseForm(html: string) {
  const action = unescapeHtml(/<form method="post" action="([^"]*)"/.exec(html)?.[1] ?? '');
  const hidden = [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)];
  return { action, fields: Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value])) };
}

/** Reads the form that the script for passkeys submits, with the options of the challenge. */
export function parsePasskeyForm(body: string) {
  const [, action = '', options = '', rest = ''] =
    /<form method="post" id="passkey" action="([^"]*)" data-options="([^"]*)" hidden>(.*?)<\/form>/s.exec(
      body,
    ) ?? [];
  const hidden = [...rest.matchAll(/name="(\w+)" value="([^"]*)"/g)];
  return {
    action: unescapeHtml(action),
    options: JSON.parse(unescapeHtml(options)),
    fields: Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value])),
  };
}

/** Returns where a redirect leads. */
export const getLocation = (response: LightMyRequestResponse) =>
  new URL(String(response.headers.location ?? 'none:'), baseUrl);

/** Creates a browser with cookies for the provider's pages. */
export function createBrowser(
  app: FastifyInstance,
  { headers, remoteAddress }: { headers?: Record<string, string>; remoteAddress?: string } = {},
) {
  const cookies = new Map<string, string>();

  async function send(method: 'GET' | 'POST', url: string, fields?: Record<string, string>) {
    const { pathname, search, host } = new URL(url, baseUrl);
    const response = await app.inject({
      method,
      url: `${pathname}${search}`,
      ...(remoteAddress !== undefined && { remoteAddress }),
      headers: {
        host,
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(fields && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
      ...(fields && { payload: new URLSearchParams(fields).toString() }),
    });
    for (const { name, value, maxAge } of response.cookies) {
      if (maxAge === 0) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  }
  const get = (url: string) => send('GET', url);
  const post = (url: string, fields: Record<string, string>) => send('POST', url, fields);

  /** Opens the sign-in page of an authorization request. */
  async function openSignInPage(query: string) {
    const response = await get(`${baseUrl}/oauth2/authorize?${query}`);
    return response.statusCode === 302 ? get(getLocation(response).href) : response;
  }

  /** Submits the sign-in page. */
  async function signIn(query: string, email: string, password: string) {
    const form = parseForm((await openSignInPage(query)).body);
    return post(form.action, { ...form.fields, email, password });
  }

  return { cookies, get, post, openSignInPage, signIn };
}

/** Signs a user in at the hosted page; returns the redirect to the app with its code. */
export async function authorize(
  app: FastifyInstance,
  { email, password }: { email: string; password: string },
  overrides: Record<string, string | undefined> = {},
) {
  const browser = createBrowser(app);
  const { verifier, challenge } = createPkce();
  const query = buildAuthorizationQuery(challenge, overrides);
  const callback = getLocation(await browser.signIn(query, email, password));
  return { browser, verifier, challenge, query, callback, code: callback.searchParams.get('code') ?? '' };
}

/** Starts a sign-in at a federated provider; `url` is where the browser is redirected. */
export async function startFederatedSignIn(
  app: FastifyInstance,
  providerName: string,
  overrides: Record<string, string> = {},
) {
  const browser = createBrowser(app);
  const { challenge, verifier } = createPkce();
  const query = buildAuthorizationQuery(challenge, { identity_provider: providerName, ...overrides });
  const redirect = await browser.get(`${baseUrl}/oauth2/authorize?${query}`);
  return { browser, verifier, url: getLocation(redirect) };
}

/** Posts a form without cookies. */
export function postForm(app: FastifyInstance, path: string, fields: Record<string, string>) {
  return app.inject({
    method: 'POST',
    url: `/identity${path}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields).toString(),
  });
}

/** Exchanges an authorization code for tokens. */
export function exchangeCode(
  app: FastifyInstance,
  code: string,
  verifier: string,
  overrides: Record<string, string> = {},
) {
  return postForm(app, '/oauth2/token', {
    grant_type: 'authorization_code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code,
    code_verifier: verifier,
    ...overrides,
  });
}
