import { expect, it } from 'vitest';
import { isAndroid, parseOperatorLink } from './link.ts';

const cnt = { platform: 'cnt', cntToken: 'c', msisdn: '5939' };
const bitel = { platform: 'bitel', msisdn: '519' };

it.each([
  ['msfw', 'msfw=m', { platform: 'entel', msfw: 'm' }],
  [
    'msfw and other parameters',
    'msisdn=519&source=antel&cntToken=c&msfw=m',
    { platform: 'entel', msfw: 'm' },
  ],
  ['cntToken with msisdn', 'cntToken=c&msisdn=5939', cnt],
  ['cntToken, msisdn and a source', 'cntToken=c&msisdn=5939&source=antel', cnt],
  [
    'source=antel with msisdn',
    'source=antel&msisdn=598',
    { platform: 'antel', source: 'antel', msisdn: '598' },
  ],
  ['msisdn alone', 'msisdn=519', bitel],
  ['msisdn with its proof', 'msisdn=519&proof=1.n.s', { ...bitel, proof: '1.n.s' }],
  ['msisdn and an unknown source', 'msisdn=519&source=claro', bitel],
  ['msisdn and an empty token', 'msisdn=519&cntToken=&msfw=', bitel],
  ['no parameters', '', null],
  ['an empty msisdn', 'msisdn=', null],
  ['cntToken without msisdn', 'cntToken=c', null],
  ['source without msisdn', 'source=antel', null],
  ['unknown parameters', 'token=x', null],
])('[EXT-01] the operator of a link with %s', (_title, query, link) => {
  expect(parseOperatorLink(new URLSearchParams(query))).toEqual(link);
});

it.each([
  ['Mozilla/5.0 (Linux; Android 14; Pixel 7) AppleWebKit/537.36 Chrome/131 Mobile Safari/537.36', true],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Mobile Safari/604.1', false],
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/131 Safari/537.36', false],
])('[EXT-03] isAndroid of %s is %s', (userAgent, expected) => {
  expect(isAndroid(userAgent)).toBe(expected);
});
