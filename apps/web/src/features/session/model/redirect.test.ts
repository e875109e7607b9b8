import { expect, it } from 'vitest';
import { config } from '#testing/server.ts';
import { authorizeAddress, hostedPagesOf, logoutAddress, readReturn } from './redirect.ts';

const origin = 'https://escucho.test';
const oauth = {
  domain: 'escucho.test/identity',
  scopes: ['openid', 'email'],
  redirectSignIn: [`${origin}/auth/sign-in`],
  redirectSignOut: [`${origin}/auth/sign-out`],
};
const pagesOf = (changes: Partial<typeof oauth> | null, at = origin) =>
  hostedPagesOf(
    { ...config, identity: { ...config.identity, oauth: changes && { ...oauth, ...changes } } },
    at,
  );
const local = 'http://localhost:3000';
const atLocal = { redirectSignIn: [`${local}/auth/sign-in`] };

it.each([
  ['on this origin, under https', pagesOf({}), 'https://escucho.test/identity'],
  [
    'on this origin, without',
    pagesOf({ ...atLocal, domain: 'localhost:3000/identity' }, local),
    `${local}/identity`,
  ],
  [
    'elsewhere, always under https',
    pagesOf({ ...atLocal, domain: 'pool.auth.us-east-1.amazoncognito.com' }, local),
    'https://pool.auth.us-east-1.amazoncognito.com',
  ],
])('[AUTH-08] the hosted pages %s', (_title, pages, address) => {
  expect(pages?.address).toBe(address);
});

it.each([
  ['none are configured', pagesOf(null)],
  ['another origin is agreed on', pagesOf({}, 'https://escucho.test.evil.example')],
  ['another port is agreed on', pagesOf({}, 'https://escucho.test:8443')],
])('[AUTH-08] there are no hosted pages where %s', (_title, pages) => {
  expect(pages).toBeNull();
});

it('[AUTH-08] asks by code with state and S256, and names the provider', () => {
  const pages = pagesOf({});
  if (!pages) throw new Error('There are pages.');
  const asked = new URL(
    authorizeAddress(pages, { provider: 'Google', state: 's', challenge: 'c', lang: 'es' }),
  );
  expect(asked.origin + asked.pathname).toBe('https://escucho.test/identity/oauth2/authorize');
  expect(Object.fromEntries(asked.searchParams)).toEqual({
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

it.each([
  [
    'agreed on',
    {},
    'https://escucho.test/identity/logout?client_id=client1&logout_uri=https%3A%2F%2Fescucho.test%2Fauth%2Fsign-out',
  ],
  ['not agreed on', { redirectSignOut: [] }, null],
])('[AUTH-09] the way out of the hosted pages, where it is %s', (_title, changes, expected) => {
  const pages = pagesOf(changes);
  expect(pages && logoutAddress(pages)).toBe(expected);
});

it.each([
  ['', null],
  ['?returnTo=%2Flibrary', null],
  ['?code=c', null],
  ['?state=s', null],
  ['?code=c&state=s', { code: 'c', state: 's' }],
  ['?error=access_denied&state=s', { refused: 'access_denied' }],
  ['?error=server_error&code=c&state=s', { refused: 'server_error' }],
])('[AUTH-08] reads what %j says of coming back', (search, expected) => {
  expect(readReturn(search)).toEqual(expected);
});
