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

const manifest = {
  'index.html': { file: 'main.js', isEntry: true, imports: ['_base.js'] },
  '_base.js': { file: 'base.js' },
  '_ui.js': { file: 'ui.js', imports: ['_base.js', '_icons.js'] },
  '_icons.js': { file: 'icons.js', imports: ['_ui.js'] },
  'src/library.tsx': { file: 'library.js', imports: ['_ui.js', '_base.js'] },
};

it('lists each file of source files once, with those that they import', () => {
  expect(findCode(manifest, ['index.html', 'src/library.tsx'])).toEqual([
    '/main.js',
    '/base.js',
    '/library.js',
    '/ui.js',
    '/icons.js',
  ]);
});

it('throws for a source file without a chunk', () => {
  expect(() => findCode(manifest, ['src/moved.tsx'])).toThrow(/src\/moved\.tsx/);
});
