import { expect, it } from 'vitest';
import { selectSample } from './policy.ts';

const article = (id: string, level: 'A1' | 'A2' | 'B1', duration = 90) =>
  ({ id, level, duration, language: 'es' }) as const;

it.each([
  [
    'the newest of the easiest level',
    [article('dog', 'A2'), article('cat', 'A1'), article('hen', 'A1')],
    [],
    'cat',
  ],
  ['the newest that is free for everybody', [article('cat', 'A1'), article('hen', 'A1')], ['cat'], 'cat'],
  ['the first of a learner’s list', [article('cat', 'A1', 900), article('hen', 'A1')], ['cat'], 'hen'],
  ['nothing that needs a subscription', [article('cat', 'A1', 900), article('hen', 'A1')], [], undefined],
  [
    'a harder one where the easiest are long',
    [article('cat', 'A1', 301), article('dog', 'B1', 300)],
    [],
    'dog',
  ],
  ['nothing where there is nothing', [], [], undefined],
] as const)('[PLAY-04] visitors listen to %s', (_, newest, free, expected) => {
  expect(selectSample(newest, new Set(free))?.id).toBe(expected);
});
