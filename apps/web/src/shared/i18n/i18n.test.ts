import { expect, it } from 'vitest';
import { chooseLanguage } from '../choices.ts';
import { formatsOf } from './format.ts';
import { currentT, needWords } from './i18n.ts';
import { translator } from './translate.ts';

// Files of one set's words bring it whole, as `texts`.
const files = import.meta.glob<ReadonlyMap<string, string> | undefined>('./words/*/*.ts', {
  import: 'texts',
  eager: true,
});
const sets = Object.entries(files).flatMap(([path, texts]) => {
  const [, language = '', set = ''] = /words\/(\w+)\/(\w+)\.ts$/.exec(path) ?? [];
  return texts ? [{ language, set, texts }] : [];
});
const setsOf = (spoken: string) => sets.filter(({ language }) => language === spoken);
const allOf = (spoken: string) => new Map(setsOf(spoken).flatMap(({ texts }) => [...texts]));
const [en, es] = [allOf('en'), allOf('es')];

const sources: Record<string, string> = import.meta.glob(
  ['../../**/*.{ts,tsx}', '!../../**/*.test.{ts,tsx}', '!./words/**', '!../../testing/**'],
  { query: '?raw', import: 'default', eager: true },
);

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

it('each set of words is there in both languages, with the same texts', () => {
  const named = (spoken: string) =>
    Object.fromEntries(setsOf(spoken).map(({ set, texts }) => [set, [...texts.keys()].sort()]));
  expect(Object.keys(named('en'))).toHaveLength(8);
  expect(named('es')).toEqual(named('en'));
});

it('every text is said somewhere', () => {
  const code = Object.values(sources).join('\n');
  const names = new Set([...code.matchAll(/['"`](\w+\.\w+)['"`]/g)].map(([, name]) => name));
  const beginnings = new Set([...code.matchAll(/`(\w+\.\w*)\$\{/g)].map(([, beginning]) => beginning));
  const words = new Set(code.match(/\w+/g));
  // A name that is put together begins in one place, and ends with a word of another.
  const isPutTogether = (name: string) =>
    [...beginnings].some((one = '') => name.startsWith(one) && words.has(name.slice(one.length)));
  const unsaid = [...en.keys()]
    // Codes and field texts of the contracts are said by their bare names.
    .filter((key) => key.includes('.'))
    .map((key) => key.replace(/_(one|other)$/, ''))
    .filter((name) => !names.has(name) && !isPutTogether(name));
  expect(unsaid).toEqual([]);
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
