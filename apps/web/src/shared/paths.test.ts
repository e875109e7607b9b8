import { expect, it } from 'vitest';
import { decodePathSegment } from './paths.ts';

it.each([
  ['la%20voz', 'la voz'],
  ['ni%C3%B1a', 'niña'],
  ['A1%2FA2', 'A1/A2'],
  ['B%252FC', 'B%2FC'],
  ['a+b', 'a+b'],
  ['', ''],
  ['100%', '100%'],
  ['%E0%A4%A', '%E0%A4%A'],
  ['%zz%20', '%zz%20'],
])('decodes the segment “%s” to “%s”', (segment, text) => {
  expect(decodePathSegment(segment)).toBe(text);
});
