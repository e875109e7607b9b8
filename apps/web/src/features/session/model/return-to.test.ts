import { expect, it } from 'vitest';
import { safeReturnTo } from './return-to.ts';

it.each([
  ['/library', '/library'],
  ['/articles/search/la%20voz', '/articles/search/la%20voz'],
  ['/articles/search/%C3%A1rbol?from=A2#top', '/articles/search/%C3%A1rbol?from=A2#top'],
  ['/playlist/42', '/playlist/42'],
  ['/discover//evil.example', '/discover//evil.example'],
  ['/library?next=https://evil.example', '/library?next=https://evil.example'],
])('[ROUTE-03] %s leads there', (asked, to) => {
  expect(safeReturnTo(asked)).toBe(to);
});

it.each([
  [null],
  [undefined],
  [''],
  ['/'],
  ['discover'],
  ['evil.example'],
  ['https://evil.example'],
  ['https:evil.example'],
  ['//evil.example'],
  ['///evil.example'],
  ['/\\evil.example'],
  ['\\\\evil.example'],
  ['\\/evil.example'],
  ['/\t/evil.example'],
  ['/\n/evil.example'],
  ['\t//evil.example'],
  [' //evil.example'],
  ['/.//evil.example'],
  ['/..//evil.example'],
  ['/./\\evil.example'],
  ['/x/..//evil.example'],
  ['/%2e%2e//evil.example'],
  ['//here.invalid@evil.example'],
  ['//evil.example:443/discover'],
  ['/\\/\\evil.example'],
  ['javascript:alert(1)'],
  ['JavaScript:alert(1)'],
  ['java\nscript:alert(1)'],
  ['data:text/html,x'],
  ['blob:https://evil.example/1'],
  ['http://['],
  ['//['],
  ['/auth'],
  ['/auth/sign-in'],
  ['/AUTH/sign-in?returnTo=/auth'],
  ['/auth-external?msisdn=1'],
  ['/x/../auth/sign-in'],
])('[ROUTE-03] %j leads to /discover', (asked) => {
  expect(safeReturnTo(asked)).toBe('/discover');
});
