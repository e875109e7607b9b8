import { expect, it } from 'vitest';
import { negotiateLanguage } from './language.ts';

it.each([
  [undefined, 'en'],
  ['', 'en'],
  ['es', 'es'],
  ['es-419,es;q=0.9,en;q=0.8', 'es'],
  ['en-US,en;q=0.9,es;q=0.8', 'en'],
  ['fr-FR,fr;q=0.9,es;q=0.5', 'es'],
  ['de', 'en'],
])('[SHELL-08] Accept-Language %s is answered in %s', (header, language) => {
  expect(negotiateLanguage(header)).toBe(language);
});
