import { expect, it } from 'vitest';
import { toPrecacheEntries } from './plugins.ts';

const build = (texts: Readonly<Record<string, string>>) =>
  toPrecacheEntries(new Map(Object.entries(texts).map(([path, text]) => [path, Buffer.from(text)])));

it.each([
  ['assets/main-abc.js', { url: '/assets/main-abc.js', revision: null }],
  ['favicon.svg', { url: '/favicon.svg', revision: expect.stringMatching(/^[0-9a-f]{16}$/) }],
  [
    'pages/en/auth/sign-in.html',
    { url: '/auth/sign-in', revision: expect.stringMatching(/^[0-9a-f]{16}-POLICY$/) },
  ],
  ['index.html', { url: '/index.html', revision: expect.stringMatching(/^[0-9a-f]{16}-POLICY$/) }],
])('revises %s by its name, its bytes or its CSP', (path, entry) => {
  expect(build({ [path]: 'x' })).toEqual([entry]);
});

it.each(['pages/es/index.html', 'pages/en/not-found.html', 'csp.json'])('does not cache %s', (path) => {
  expect(build({ [path]: 'x' })).toEqual([]);
});

it('gives documents another revision when that of another language changes', () => {
  const getRevision = (text: string) =>
    build({ 'index.html': 'a', 'pages/es/index.html': text })[0]?.revision;
  expect(getRevision('a')).not.toBe(getRevision('b'));
});
