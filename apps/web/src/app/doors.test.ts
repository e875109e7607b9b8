import { expect, it } from 'vitest';
import { otherDoor } from './doors.ts';

const place = (address: string) => new URL(address, 'https://escucho.test');

it.each([
  ['[ROUTE-01] / leads to /discover', '/', 'signed-in', '/discover'],
  ['[ROUTE-01] also before it is known who comes', '/', 'loading', '/discover'],
  ['[ROUTE-01] / signed out leads to sign-in', '/', 'signed-out', '/auth/sign-in'],
  ['[ROUTE-01] /auth leads to sign-in', '/auth', 'signed-out', '/auth/sign-in'],
  [
    '[ROUTE-01] /auth keeps the way on',
    '/auth?returnTo=/library',
    'signed-out',
    '/auth/sign-in?returnTo=/library',
  ],
  ['[ROUTE-01] signed-in readers on /auth go to /discover', '/auth', 'signed-in', '/discover'],
  ['[ROUTE-01] also on a page below, in any case', '/Auth/sign-up', 'signed-in', '/discover'],
  [
    '[ROUTE-03] signed-in readers on /auth go where they wanted',
    '/auth/sign-in?returnTo=/library',
    'signed-in',
    '/library',
  ],
  ['[ROUTE-03] but never elsewhere', '/auth/sign-in?returnTo=//evil.example', 'signed-in', '/discover'],
  [
    '[AUTH-04] a confirmed account goes to /Discover',
    '/auth/confirm-account?email=a@b.co',
    'signed-in',
    '/Discover',
  ],
  [
    '[ROUTE-03] a guarded page remembers the way',
    '/library',
    'signed-out',
    '/auth/sign-in?returnTo=%2Flibrary',
  ],
  [
    '[ROUTE-03] with its query',
    '/articles/search/x?level=A1#2',
    'signed-out',
    '/auth/sign-in?returnTo=%2Farticles%2Fsearch%2Fx%3Flevel%3DA1%232',
  ],
  ['a guarded page opens for readers', '/library', 'signed-in', null],
  ['and waits while it is found out who comes', '/library', 'loading', null],
  ['the auth pages open for all others', '/auth/sign-up?email=a@b.co', 'signed-out', null],
  ['so does the operators’ door', '/auth-external?msisdn=1', 'signed-out', null],
] as const)('%s', (_title, address, status, to) => {
  expect(otherDoor(place(address), status)).toBe(to);
});
