import { expect, it } from 'vitest';
import { findTokens, getExpiry, isFresh } from './stored-tokens.ts';

const token = (claims: unknown) =>
  `h.${btoa(JSON.stringify(claims)).replaceAll('+', '-').replaceAll('/', '_')}.s`;
const store = (entries: Record<string, string>) =>
  findTokens(Object.keys(entries), (key) => entries[key] ?? null);
const prefix = 'CognitoIdentityServiceProvider.client1';

it.each([
  ['a token with exp', token({ exp: 1_700_000_000 }), 1_700_000_000_000],
  ['letters beyond ASCII', token({ exp: 5, name: '\u00ff\u00fe\u00fb' }), 5_000],
  ['no exp', token({}), 0],
  ['exp that is not a number', token({ exp: 'soon' }), 0],
  ['claims that are not an object', token(null), 0],
  ['not a token', 'garbage', 0],
  ['nothing', '', 0],
])('reads the expiry of %s', (_title, text, expected) => {
  expect(getExpiry(text)).toBe(expected);
});

it('finds the tokens under the identity client’s own keys', () => {
  const access = token({ exp: 100 });
  const found = store({
    [`${prefix}.LastAuthUser`]: 'sub-1',
    [`${prefix}.sub-1.accessToken`]: access,
    [`${prefix}.sub-1.idToken`]: 'id',
    [`${prefix}.sub-1.refreshToken`]: 'refresh',
    [`${prefix}.sub-1.clockDrift`]: '-2500',
    'user-storage': '{}',
  });
  expect(found).toEqual({ access, id: 'id', refresh: 'refresh', clockDrift: -2500, expiresAt: 100_000 });
});

it.each([
  ['nothing stored', {}],
  ['a user without tokens', { [`${prefix}.LastAuthUser`]: 'sub-1' }],
  ['tokens of a user who is not the last one', { [`${prefix}.sub-1.accessToken`]: token({ exp: 1 }) }],
])('finds no session with %s', (_title, entries) => {
  expect(store(entries)).toBeNull();
});

it('returns the session that expires last of two clients', () => {
  const entries = (client: string, exp: number) => ({
    [`CognitoIdentityServiceProvider.${client}.LastAuthUser`]: 'me',
    [`CognitoIdentityServiceProvider.${client}.me.accessToken`]: token({ exp, client }),
  });
  expect(store({ ...entries('old', 10), ...entries('new', 20) })?.expiresAt).toBe(20_000);
});

it.each([
  ['well before the expiry', 10_000, 0, 1_000, true],
  ['6 seconds before the expiry', 10_000, 0, 4_000, true],
  ['5 seconds before the expiry', 10_000, 0, 5_000, false],
  ['after the expiry', 10_000, 0, 11_000, false],
  ['with a clock behind the server’s', 10_000, 6_000, 1_000, false],
  ['with a clock ahead of the server’s', 10_000, -8_000, 12_000, true],
])('[AUTH-10] isFresh %s', (_title, expiresAt, clockDrift, now, fresh) => {
  expect(isFresh({ expiresAt, clockDrift }, now)).toBe(fresh);
});
