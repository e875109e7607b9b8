import { expect, it } from 'vitest';
import { toPrecacheEntry } from './service-worker.ts';

it.each([
  ['assets/main-abc.js', { url: '/assets/main-abc.js', revision: null }],
  ['favicon.svg', { url: '/favicon.svg', revision: expect.stringMatching(/^[0-9a-f]{16}$/) }],
  [
    'pages/en/auth/sign-in.html',
    { url: '/auth/sign-in', revision: expect.stringMatching(/^[0-9a-f]{16}-POLICY$/) },
  ],
  ['index.html', { url: '/index.html', revision: expect.stringMatching(/^[0-9a-f]{16}-POLICY$/) }],
])('revises %s by its name, its bytes or its CSP', (path, entry) => {
  expect(toPrecacheEntry(path, Buffer.from('x'))).toEqual(entry);
});

it('gives different content another revision', () => {
  const getRevision = (text: string) => toPrecacheEntry('index.html', Buffer.from(text)).revision;
  expect(getRevision('a')).not.toBe(getRevision('b'));
});
