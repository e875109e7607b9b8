import { createHash, randomBytes } from 'node:crypto';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import type { OAuthOptions } from '../options.ts';
import { clientId } from './pool.ts';

export const address = 'http://localhost:3000/identity';
export const target = 'http://localhost:3000/auth/sign-in';
export const signOutTarget = 'http://localhost:3000/auth/sign-out';

/** A provider with hosted pages, as the embedded default has them. */
export const hostedPages: OAuthOptions = {
  addresses: [address, 'http://127.0.0.1:3000/identity'],
  signIn: [target, 'http://127.0.0.1:3000/auth/sign-in'],
  signOut: [signOutTarget],
  app: { signUp: '/auth/sign-up', forgotPassword: '/auth/forgot-password' },
};

/** An app's half of PKCE. */
export function newPkce() {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** A query that /oauth2/authorize takes. */
export function authorization(challenge: string, more: Record<string, string | undefined> = {}) {
  const all = {
    client_id: clientId,
    redirect_uri: target,
    response_type: 'code',
    scope: 'openid email profile',
    state: 'app-state',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...more,
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(all)) if (value !== undefined) query.set(name, value);
  return query.toString();
}

const plain = (html: string) => html.replaceAll('&amp;', '&').replaceAll('&quot;', '"');

/** A page's first form: where it goes, and its hidden fields. */
export function formOf(html: string) {
  const action = plain(/<form method="post" action="([^"]*)"/.exec(html)?.[1] ?? '');
  const hidden = [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)];
  return { action, fields: Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value])) };
}

/** Where a redirect leads. */
export const locationOf = (answer: LightMyRequestResponse) =>
  new URL(String(answer.headers.location ?? 'none:'), address);

/** A browser that keeps its cookies and visits the provider's pages, one request at a time. */
export function createBrowser(app: FastifyInstance, headers: Record<string, string> = {}) {
  const jar = new Map<string, string>();

  async function send(method: 'GET' | 'POST', url: string, fields?: Record<string, string>) {
    const { pathname, search, host } = new URL(url, address);
    const answer = await app.inject({
      method,
      url: `${pathname}${search}`,
      headers: {
        host,
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(fields && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
      ...(fields && { payload: new URLSearchParams(fields).toString() }),
    });
    for (const { name, value, maxAge } of answer.cookies) {
      if (maxAge === 0) jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  }
  const get = (url: string) => send('GET', url);
  const post = (url: string, fields: Record<string, string>) => send('POST', url, fields);

  /** Visits an authorization, up to the sign-in page. */
  async function signInPage(query: string) {
    const answer = await get(`${address}/oauth2/authorize?${query}`);
    return answer.statusCode === 302 ? get(locationOf(answer).href) : answer;
  }

  /** Fills in the sign-in page. */
  async function signIn(query: string, email: string, password: string) {
    const form = formOf((await signInPage(query)).body);
    return post(form.action, { ...form.fields, email, password });
  }

  return { jar, get, post, signInPage, signIn };
}

/** Posts a form as an app does, without cookies. */
export function postForm(app: FastifyInstance, path: string, fields: Record<string, string>) {
  return app.inject({
    method: 'POST',
    url: `/identity${path}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields).toString(),
  });
}

/** Redeems a code as the app does. */
export function redeem(
  app: FastifyInstance,
  code: string,
  verifier: string,
  more: Record<string, string> = {},
) {
  return postForm(app, '/oauth2/token', {
    grant_type: 'authorization_code',
    client_id: clientId,
    redirect_uri: target,
    code,
    code_verifier: verifier,
    ...more,
  });
}
