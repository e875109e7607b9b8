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

const buildChunk = (fileName: string, source: string | null, imports: string[] = [], isEntry = false) =>
  [
    fileName,
    { type: 'chunk', fileName, facadeModuleId: source && `/somewhere/${source}`, imports, isEntry },
  ] as const;

const bundle = Object.fromEntries([
  buildChunk('main.js', null, ['base.js'], true),
  buildChunk('base.js', null),
  buildChunk('ui.js', null, ['base.js', 'icons.js']),
  buildChunk('icons.js', null, ['ui.js']),
  buildChunk('library.js', 'src/library.tsx', ['ui.js', 'base.js']),
]);

it('lists each file of a page once, without those of the entry', () => {
  expect(findCode(bundle, ['src/library.tsx'])).toEqual({
    entry: ['/main.js', '/base.js'],
    page: ['/library.js', '/ui.js', '/icons.js'],
  });
});

it('throws for a source file without a chunk', () => {
  expect(() => findCode(bundle, ['src/moved.tsx'])).toThrow(/src\/moved\.tsx/);
});
