import { expect, it } from 'vitest';
import { testConfig } from '#testing/server.ts';
import { buildAuthorizeUrl, buildLogoutUrl, findHostedPages, parseCallback } from './oauth.ts';

const origin = 'https://escucho.test';
const oauth = {
  domain: 'escucho.test/identity',
  scopes: ['openid', 'email'],
  redirectSignIn: [`${origin}/auth/sign-in`],
  redirectSignOut: [`${origin}/auth/sign-out`],
};
const findPages = (changes: Partial<typeof oauth> | null, at = origin) =>
  findHostedPages(
    { ...testConfig, identity: { ...testConfig.identity, oauth: changes && { ...oauth, ...changes } } },
    at,
  );
const local = 'http://localhost:3000';
const atLocal = { redirectSignIn: [`${local}/auth/sign-in`] };

it.each([
  ['on this HTTPS origin', findPages({}), 'https://escucho.test/identity'],
  [
    'on this HTTP origin',
    findPages({ ...atLocal, domain: 'localhost:3000/identity' }, local),
    `${local}/identity`,
  ],
  [
    'on another host, always HTTPS',
    findPages({ ...atLocal, domain: 'pool.auth.us-east-1.amazoncognito.com' }, local),
    'https://pool.auth.us-east-1.amazoncognito.com',
  ],
])('[AUTH-08] the address of hosted pages %s', (_title, pages, url) => {
  expect(pages?.url).toBe(url);
});

it.each([
  ['none are configured', findPages(null)],
  ['another origin is registered', findPages({}, 'https://escucho.test.evil.example')],
  ['another port is registered', findPages({}, 'https://escucho.test:8443')],
])('[AUTH-08] there are no hosted pages where %s', (_title, pages) => {
  expect(pages).toBeNull();
});

it('[AUTH-08] the authorize address has code, state, S256 and the provider', () => {
  const pages = findPages({});
  if (!pages) throw new Error('There are pages.');
  const url = new URL(
    buildAuthorizeUrl(pages, { provider: 'Google', state: 's', challenge: 'c', lang: 'es' }),
  );
  expect(url.origin + url.pathname).toBe('https://escucho.test/identity/oauth2/authorize');
  expect(Object.fromEntries(url.searchParams)).toEqual({
    redirect_uri: `${origin}/auth/sign-in`,
    response_type: 'code',
    client_id: 'client1',
    identity_provider: 'Google',
    scope: 'openid email',
    lang: 'es',
    state: 's',
    code_challenge: 'c',
    code_challenge_method: 'S256',
  });
});

it('[AUTH-08] the authorize address of a user who signs in again has prompt=login', () => {
  const pages = findPages({});
  if (!pages) throw new Error('There are pages.');
  const params = { provider: 'Google', state: 's', challenge: 'c', lang: 'es', prompt: 'login' } as const;
  expect(new URL(buildAuthorizeUrl(pages, params)).searchParams.get('prompt')).toBe('login');
});

it.each([
  [
    'registered',
    {},
    'https://escucho.test/identity/logout?client_id=client1&logout_uri=https%3A%2F%2Fescucho.test%2Fauth%2Fsign-out',
  ],
  ['not registered', { redirectSignOut: [] }, null],
])('[AUTH-09] the logout address where its redirect URI is %s', (_title, changes, expected) => {
  const pages = findPages(changes);
  expect(pages && buildLogoutUrl(pages)).toBe(expected);
});

it.each([
  ['', null],
  ['?returnTo=%2Flibrary', null],
  ['?code=c', null],
  ['?state=s', null],
  ['?code=c&state=s', { code: 'c', state: 's' }],
  ['?error=access_denied&state=s', { error: 'access_denied' }],
  ['?error=server_error&code=c&state=s', { error: 'server_error' }],
])('[AUTH-08] parses the callback parameters of %j', (search, expected) => {
  expect(parseCallback(search)).toEqual(expected);
});
