import { expect, it } from 'vitest';
import { keptFile } from './offline.ts';

it.each([
  ['assets/main-abc.js', { url: '/assets/main-abc.js', revision: null }],
  ['favicon.svg', { url: '/favicon.svg', revision: expect.stringMatching(/^[0-9a-f]{16}$/) }],
  ['index.html', { url: '/index.html', revision: expect.stringMatching(/^[0-9a-f]{16}-POLICY$/) }],
])('%s is kept until it changes: by its name, its bytes, or its policy', (path, kept) => {
  expect(keptFile(path, Buffer.from('x'))).toEqual(kept);
});

it('another content is another revision', () => {
  const of = (text: string) => keptFile('index.html', Buffer.from(text)).revision;
  expect(of('a')).not.toBe(of('b'));
});
