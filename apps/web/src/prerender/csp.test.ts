import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { getCspHashes } from './csp.ts';

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
