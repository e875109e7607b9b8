import { expect, it } from 'vitest';
import { findCode, toPrecacheEntries } from './plugins.ts';

const buildChunk = (fileName: string, moduleIds: string[], imports: string[] = []) => ({
  fileName,
  moduleIds,
  imports,
});
const chunks = [
  buildChunk('main.js', ['/web/src/main.tsx'], ['base.js']),
  buildChunk('base.js', ['/web/src/base.ts']),
  buildChunk('ui.js', ['/web/src/button.tsx', '/web/src/menu.tsx'], ['base.js', 'icons.js']),
  buildChunk('icons.js', ['/node_modules/icons/index.js'], ['ui.js']),
  buildChunk('library.js', ['/web/src/library.tsx'], ['ui.js', 'base.js']),
];

it('lists each file of source files once, after those that it imports', () => {
  expect(findCode(chunks, ['src/main.tsx', 'src/library.tsx'])).toEqual([
    '/base.js',
    '/main.js',
    '/icons.js',
    '/ui.js',
    '/library.js',
  ]);
});

it('finds a source file in a chunk of several', () => {
  expect(findCode(chunks, ['src/menu.tsx'])).toContain('/ui.js');
});

it('throws for a source file without a chunk', () => {
  expect(() => findCode(chunks, ['src/moved.tsx'])).toThrow(/src\/moved\.tsx/);
});

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
