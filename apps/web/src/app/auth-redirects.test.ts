import { describe, expect, it } from 'vitest';
import { getInitialRedirect, toSafeReturnUrl } from './auth-redirects.ts';

it.each([
  ['[ROUTE-01] / redirects to /discover', '/', 'signed-in', '/discover'],
  ['[ROUTE-01] / redirects to /discover while the session loads', '/', 'loading', '/discover'],
  ['[ROUTE-01] / signed out redirects to sign-in', '/', 'signed-out', '/auth/sign-in'],
  ['[ROUTE-01] /auth redirects to sign-in', '/auth', 'signed-out', '/auth/sign-in'],
  [
    '[ROUTE-01] /auth passes on returnTo',
    '/auth?returnTo=/library',
    'signed-out',
    '/auth/sign-in?returnTo=/library',
  ],
  ['[ROUTE-01] a signed-in user on /auth is redirected to /discover', '/auth', 'signed-in', '/discover'],
  [
    '[ROUTE-01] a signed-in user on a page below /auth is redirected, in any case',
    '/Auth/sign-up',
    'signed-in',
    '/discover',
  ],
  [
    '[ROUTE-03] a signed-in user on /auth is redirected to returnTo',
    '/auth/sign-in?returnTo=/library',
    'signed-in',
    '/library',
  ],
  [
    '[ROUTE-03] a returnTo of another origin is refused',
    '/auth/sign-in?returnTo=//evil.example',
    'signed-in',
    '/discover',
  ],
  [
    '[AUTH-08] a provider’s callback opens for a signed-in user',
    '/auth/sign-in?code=c&state=s',
    'signed-in',
    null,
  ],
  [
    '[AUTH-04] a confirmed account is redirected to /Discover',
    '/auth/confirm-account?email=a@b.co',
    'signed-in',
    '/Discover',
  ],
  [
    '[ROUTE-03] a guarded page signed out redirects to sign-in with returnTo',
    '/library',
    'signed-out',
    '/auth/sign-in?returnTo=%2Flibrary',
  ],
  [
    '[ROUTE-03] returnTo includes query and fragment',
    '/articles/search/x?level=A1#2',
    'signed-out',
    '/auth/sign-in?returnTo=%2Farticles%2Fsearch%2Fx%3Flevel%3DA1%232',
  ],
  ['a guarded page opens for a signed-in user', '/library', 'signed-in', null],
  ['a guarded page opens while the session loads', '/library', 'loading', null],
  ['an auth page opens signed out', '/auth/sign-up?email=a@b.co', 'signed-out', null],
  ['/auth-external opens signed out', '/auth-external?msisdn=1', 'signed-out', null],
  ['[SHELL-11] an unknown path opens signed out', '/nowhere/at/all', 'signed-out', null],
  ['[SHELL-11] an unknown settings page opens signed out', '/settings/nothing', 'signed-out', null],
] as const)('%s', (_title, address, status, to) => {
  expect(getInitialRedirect(new URL(address, 'https://escucho.test'), status)).toBe(to);
});

describe('returnTo', () => {
  it.each([
    ['/library', '/library'],
    ['/articles/search/la%20voz', '/articles/search/la%20voz'],
    ['/articles/search/%C3%A1rbol?from=A2#top', '/articles/search/%C3%A1rbol?from=A2#top'],
    ['/playlist/42', '/playlist/42'],
    ['/discover//evil.example', '/discover//evil.example'],
    ['/library?next=https://evil.example', '/library?next=https://evil.example'],
  ])('[ROUTE-03] accepts %s', (returnTo, url) => {
    expect(toSafeReturnUrl(returnTo)).toBe(url);
  });

  it.each([
    [null],
    [undefined],
    [''],
    ['/'],
    ['discover'],
    ['evil.example'],
    ['https://evil.example'],
    ['https:evil.example'],
    ['//evil.example'],
    ['///evil.example'],
    ['/\\evil.example'],
    ['\\\\evil.example'],
    ['\\/evil.example'],
    ['/\t/evil.example'],
    ['/\n/evil.example'],
    ['\t//evil.example'],
    [' //evil.example'],
    ['/.//evil.example'],
    ['/..//evil.example'],
    ['/./\\evil.example'],
    ['/x/..//evil.example'],
    ['/%2e%2e//evil.example'],
    ['//here.invalid@evil.example'],
    ['//evil.example:443/discover'],
    ['/\\/\\evil.example'],
    ['javascript:alert(1)'],
    ['JavaScript:alert(1)'],
    ['java\nscript:alert(1)'],
    ['data:text/html,x'],
    ['blob:https://evil.example/1'],
    ['http://['],
    ['//['],
    ['/auth'],
    ['/auth/sign-in'],
    ['/AUTH/sign-in?returnTo=/auth'],
    ['/auth-external?msisdn=1'],
    ['/x/../auth/sign-in'],
  ])('[ROUTE-03] replaces %j by /discover', (returnTo) => {
    expect(toSafeReturnUrl(returnTo)).toBe('/discover');
  });
});
