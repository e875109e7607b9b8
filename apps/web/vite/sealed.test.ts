import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { hashesOf } from './sealed.ts';

const sha = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

it('lists the hash of every inline script and style, and of nothing else', () => {
  const html =
    '<head><script>a("<b>")</script><style>p{}</style><script type="module" src="/x.js"></script></head><style media="print">b{}</style>';
  expect(hashesOf(html)).toEqual({ scripts: [sha('a("<b>")')], styles: [sha('p{}'), sha('b{}')] });
});

it.each([['<p style="color:red">'], ['<button onclick="x()">'], ['<img src=x onerror=x()>']])(
  'refuses %s, which no hash allows',
  (html) => expect(() => hashesOf(html)).toThrow(/policy/),
);

it('is not misled by what scripts and styles contain', () => {
  expect(() =>
    hashesOf('<script>"<p style=x onload=y>"</script><style>a[style="x"]{}</style>'),
  ).not.toThrow();
});
