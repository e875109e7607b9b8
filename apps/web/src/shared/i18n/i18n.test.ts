import { expect, it } from 'vitest';
import { chooseLanguage } from '../choices.ts';
import { formatsOf } from './format.ts';
import { currentT, needWords } from './i18n.ts';
import { translator } from './translate.ts';
import { texts as enApp } from './words/en/app.ts';
import { texts as enCorner } from './words/en/corner.ts';
import { texts as enMore } from './words/en/more.ts';
import { texts as esApp } from './words/es/app.ts';
import { texts as esCorner } from './words/es/corner.ts';
import { texts as esMore } from './words/es/more.ts';

const en = new Map([...enApp, ...enMore, ...enCorner]);
const es = new Map([...esApp, ...esMore, ...esCorner]);

it.each([
  ['the stored choice first', 'es', ['en-US'], 'es'],
  ['then the browser’s first', null, ['es-PE', 'en'], 'es'],
  ['skipping what the app does not speak', null, ['fr-FR', 'de', 'es'], 'es'],
  ['the browser’s order decides', null, ['en-GB', 'es'], 'en'],
  ['a name that only begins alike is another language', null, ['est', 'enm'], 'en'],
  ['English at last', null, ['fr'], 'en'],
  ['nothing known at all', null, [], 'en'],
] as const)('[SHELL-08] language: %s', (_title, kept, browser, language) => {
  expect(chooseLanguage(kept, browser)).toBe(language);
});

it('every text exists in both languages, and nothing else does', () => {
  expect([...es.keys()].sort()).toEqual([...en.keys()].sort());
});

it('each set of words is the same in both languages', () => {
  expect([...esMore.keys()].sort()).toEqual([...enMore.keys()].sort());
});

it('both languages fill in the same things', () => {
  const holes = (text = '') => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
  for (const [key, text] of en) expect(holes(es.get(key)), key).toEqual(holes(text));
});

it('texts with a plural have both forms', () => {
  for (const key of en.keys())
    if (key.endsWith('_one')) expect(en.has(key.replace(/_one$/, '_other')), key).toBe(true);
});

it('fills in what it is given, and nothing of a reader’s text is taken for a hole', () => {
  const t = translator('en', en);
  expect(t('session.withOperator', { operator: '{name} $& $1' })).toBe('Sign in with {name} $& $1');
});

it.each([
  ['en', '2026-03-05T12:00:00Z', '05 Mar 2026'],
  ['es', '2026-03-05T12:00:00Z', '05 mar 2026'],
  ['en', '2026-09-30T12:00:00Z', '30 Sep 2026'],
])('[CAT-07] a date in %s: %s is %s', (language, moment, text) => {
  expect(formatsOf(language).date(moment)).toBe(text);
});

it.each([
  [0, '0:00', '1 min'],
  [65, '1:05', '1 min'],
  [277.9, '4:37', '5 min'],
  [3600, '1:00:00', '1 hr'],
  [4800, '1:20:00', '1 hr 20 min'],
  [Number.NaN, '0:00', null],
  [-3, '0:00', '1 min'],
])('%d seconds are written as %s', (seconds, clock, minutes) => {
  const format = formatsOf('en');
  expect(format.clock(seconds)).toBe(clock);
  if (minutes) expect(format.minutes(seconds)).toBe(minutes);
});

it('sets of words that are needed at the same time all come', async () => {
  await Promise.all([needWords('more'), needWords('corner')]);
  const t = currentT();
  expect([t('pages.settingsTitle'), t('playlists.favourites')]).toEqual(['Settings', 'Favorites']);
});
