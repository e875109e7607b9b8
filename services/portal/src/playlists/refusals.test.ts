import { expect, it } from 'vitest';
import { getRefusalCode } from './service.ts';

it.each([
  [undefined, 'tracks', 'not_found'],
  [undefined, 'list', 'not_found'],
  ['system', 'tracks', 'forbidden'],
  ['system', 'list', 'forbidden'],
  ['auto', 'tracks', 'not_found'],
  ['auto', 'list', 'forbidden'],
  ['user', 'tracks', 'not_found'],
  ['user', 'list', 'not_found'],
] as const)('[LIST-07] a change of %s (its %s) that was not done: %s', (origin, wish, code) => {
  expect(getRefusalCode(origin, wish)).toBe(code);
});
