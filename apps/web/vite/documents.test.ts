import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { findCode, getCspHashes } from './documents.ts';

const sha = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

it('hashes each inline script and style once', () => {
  const html =
    '<head><script>a("<b>")</script><style>p{}</style><script type="module" src="/x.js"></script></head><style media="print">b{}</style><style>p{}</style>';
  expect(getCspHashes(html)).toEqual({ scripts: [sha('a("<b>")')], styles: [sha('p{}'), sha('b{}')] });
});

it.each([['<p style="color:red">'], ['<button onclick="x()">'], ['<img src=x onerror=x()>']])(
  'throws on %s, which no hash can allow',
  (html) => expect(() => getCspHashes(html)).toThrow(/CSP/),
);

it('ignores attributes inside scripts and styles', () => {
  expect(() =>
    getCspHashes('<script>"<p style=x onload=y>"</script><style>a[style="x"]{}</style>'),
  ).not.toThrow();
});

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

it('lists each file of source files once, with those that they import', () => {
  expect(findCode(chunks, ['src/main.tsx', 'src/library.tsx'])).toEqual([
    '/main.js',
    '/base.js',
    '/library.js',
    '/ui.js',
    '/icons.js',
  ]);
});

it('finds a source file in a chunk of several', () => {
  expect(findCode(chunks, ['src/menu.tsx'])[0]).toBe('/ui.js');
});

it('throws for a source file without a chunk', () => {
  expect(() => findCode(chunks, ['src/moved.tsx'])).toThrow(/src\/moved\.tsx/);
});
