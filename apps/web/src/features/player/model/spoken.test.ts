import { expect, it } from 'vitest';
import { formatSpokenDuration } from './spoken.ts';

it.each([
  ['en', 0, '0 seconds'],
  ['en', 65, '1 minute, 5 seconds'],
  ['en', 277.9, '4 minutes, 37 seconds'],
  ['en', 3600, '1 hour'],
  ['en', 4800, '1 hour, 20 minutes'],
  ['en', -3, '0 seconds'],
  ['es', 65, '1 minuto y 5 segundos'],
] as const)('[PLAY-06] in %s, %d seconds are %s', (language, seconds, expected) => {
  expect(formatSpokenDuration(language, seconds)).toBe(expected);
});
