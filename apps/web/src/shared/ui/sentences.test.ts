import { expect, it } from 'vitest';
import { isActiveSentence } from './sentences.tsx';

it.each([
  [null, false],
  [0.9, false],
  [1, true],
  [1.9, true],
  [2, false],
])('[PLAY-08] at %s a sentence from 1 to 2 s is spoken: %s', (position, spoken) => {
  expect(isActiveSentence({ text: 'A.', start: 1, end: 2 }, position)).toBe(spoken);
});
