import { expect, it } from 'vitest';
import { getInitials } from './i18n/format.ts';

it.each([
  ['Ana Torres', 'AT'],
  ['ana', 'A'],
  ['María del Carmen Núñez', 'MN'],
  ['  Álvaro   Ibáñez ', 'ÁI'],
  ['🎧 Reader', '🎧R'],
  ['', '?'],
])('[SHELL-03] the avatar of “%s” shows %s', (name, letters) => {
  expect(getInitials(name)).toBe(letters);
});
