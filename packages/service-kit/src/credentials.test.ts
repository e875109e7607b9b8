import { expect, it } from 'vitest';
import { isEqualInConstantTime } from './credentials.ts';

it.each([
  ['the same text', 'abcd', 'abcd', true],
  ['a shorter text', 'abcd', 'abc', false],
  ['another text', 'abcd', 'abce', false],
  ['a text as long in characters, not in bytes', 'abcd', 'abcñ', false],
  ['the same bytes', Buffer.from('abcd'), 'abcd', true],
  ['nothing', '', '', true],
])('[IDP-03] compares %s', (_name, one, other, expected) => {
  expect(isEqualInConstantTime(one, other)).toBe(expected);
});
