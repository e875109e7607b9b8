import { level, securityEventTypes } from '@escucho/contracts';
import { expect, it, onTestFinished, vi } from 'vitest';
import { chooseLanguage } from '../choices.ts';
import { usePreferences } from '../preferences.ts';
import { createFormat, getInitials } from './format.ts';
import { getT, loadNamespace, setLanguage } from './i18n.ts';
import { createT, flattenMessages } from './translate.ts';

const files = import.meta.glob<Record<string, Record<string, string>>>('./messages/*/*.ts', {
  import: 'messages',
  eager: true,
});
const namespaces = Object.entries(files).map(([path, messages]) => {
  const [, language = '', name = ''] = /messages\/(\w+)\/(\w+)\.ts$/.exec(path) ?? [];
  return { language, name, texts: flattenMessages(messages) };
});
const namespacesOf = (language: string) => namespaces.filter((namespace) => namespace.language === language);
const allOf = (language: string) => new Map(namespacesOf(language).flatMap(({ texts }) => [...texts]));
const [en, es] = [allOf('en'), allOf('es')];

const sources: Record<string, string> = import.meta.glob(
  ['../../**/*.{ts,tsx}', '!../../**/*.test.{ts,tsx}', '!./messages/**', '!../../testing/**'],
  { query: '?raw', import: 'default', eager: true },
);

it.each([
  ['the stored choice first', 'es', ['en-US'], 'es'],
  ['then the browser’s first', null, ['es-PE', 'en'], 'es'],
  ['skipping languages without messages', null, ['fr-FR', 'de', 'es'], 'es'],
  ['the browser’s order decides', null, ['en-GB', 'es'], 'en'],
  ['a longer tag with the same prefix is another language', null, ['est', 'enm'], 'en'],
  ['English as the fallback', null, ['fr'], 'en'],
  ['English without any preference', null, [], 'en'],
] as const)('[SHELL-08] language: %s', (_title, stored, browser, language) => {
  expect(chooseLanguage(stored, browser)).toBe(language);
});

it.each([
  ['en', 'es'],
  ['es', 'en'],
] as const)('[SHELL-08] shows and stores the last choice when %s is followed by %s', async (one, last) => {
  await Promise.all([setLanguage(one), setLanguage(last)]);
  expect([document.documentElement.lang, usePreferences.getState().language]).toEqual([last, last]);
  expect(document.cookie).toContain(`language=${last}`);
});

it('[SHELL-08] messages that did not load without a network load once it is back', async () => {
  await setLanguage('en');
  const isOnline = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  await expect(loadNamespace('legal')).rejects.toThrow('Failed to fetch');
  isOnline.mockReturnValue(true);
  await loadNamespace('legal');
  expect(getT()('legal.title_payment')).toBe('Price and payment');
});

it('has every namespace in both languages, with the same keys', () => {
  const keysOf = (language: string) =>
    Object.fromEntries(namespacesOf(language).map(({ name, texts }) => [name, [...texts.keys()].sort()]));
  expect(Object.keys(keysOf('en'))).toHaveLength(11);
  expect(keysOf('es')).toEqual(keysOf('en'));
});

it('uses every message somewhere', () => {
  const code = Object.values(sources).join('\n');
  const names = new Set([...code.matchAll(/['"`](\w+\.\w+)['"`]/g)].map(([, name]) => name));
  const prefixes = new Set([...code.matchAll(/`(\w+\.\w*)\$\{/g)].map(([, prefix]) => prefix));
  const words = new Set([...(code.match(/\w+/g) ?? []), ...securityEventTypes, ...level.options]);
  // The prefix and the suffix of a composed key are separate strings.
  const isComposed = (name: string) =>
    [...prefixes].some((one = '') => name.startsWith(one) && words.has(name.slice(one.length)));
  const unused = [...en.keys()]
    // Error codes and field errors of the contracts are used by their bare names.
    .filter((key) => key.includes('.'))
    .map((key) => key.replace(/_(one|other)$/, ''))
    .filter((name) => !names.has(name) && !isComposed(name));
  expect(unused).toEqual([]);
});

it('has the same parameters in both languages', () => {
  const parametersOf = (text = '') => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
  for (const [key, text] of en) expect(parametersOf(es.get(key)), key).toEqual(parametersOf(text));
});

it.each([
  ['agregar', /añad/i],
  ['computadora', /ordenador/i],
  ['frase', /\boraci/i],
  ['tocar', /\bpuls/i],
])('has one Spanish word for one thing: %s', (_, synonym) => {
  expect([...es].filter(([, text]) => synonym.test(text))).toEqual([]);
});

it('has both forms of every plural', () => {
  for (const key of en.keys())
    if (key.endsWith('_one')) expect(en.has(key.replace(/_one$/, '_other')), key).toBe(true);
});

it('replaces parameters without interpreting their values', () => {
  const t = createT('en', en);
  expect(t('session.withOperator', { operator: '{name} $& $1' })).toBe('Sign in with {name} $& $1');
});

it.each([
  ['en', '2026-03-05T12:00:00Z', '05 Mar 2026'],
  ['es', '2026-03-05T12:00:00Z', '05 mar 2026'],
  ['en', '2026-09-30T12:00:00Z', '30 Sep 2026'],
] as const)('[CAT-07] formats a date in %s: %s as %s', (language, moment, text) => {
  expect(createFormat(language).date(moment)).toBe(text);
});

it.each([
  [0, '0:00', '1 min'],
  [65, '1:05', '1 min'],
  [277.9, '4:37', '5 min'],
  [3600, '1:00:00', '1 hr'],
  [4800, '1:20:00', '1 hr 20 min'],
  [Number.NaN, '0:00', null],
  [-3, '0:00', '1 min'],
])('formats %d seconds as %s', (seconds, time, duration) => {
  const format = createFormat('en');
  expect(format.time(seconds)).toBe(time);
  if (duration) expect(format.duration(seconds)).toBe(duration);
});

it.each([
  ['en', 999, '999'],
  ['en', 1234, '1,234'],
  ['en', 0.5, '0.5'],
  ['es', 12345, '12.345'],
] as const)('formats in %s the number %d as %s', (language, value, text) => {
  expect(createFormat(language).number(value)).toBe(text);
});

it.each(['America/Lima', 'UTC', 'Pacific/Kiritimati'])('formats a day as it is, in %s', (zone) => {
  vi.stubEnv('TZ', zone);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { day } = createFormat('en');
  expect([day('2026-03-29'), day('2026-03-29T00:00:00.000Z')]).toEqual(['29 Mar 2026', '29 Mar 2026']);
});

it('formats a duration in Spanish', () => {
  expect(createFormat('es').duration(4800)).toBe('1 h 20 min');
});

it.each([
  ['en', 0, '0 seconds'],
  ['en', 65, '1 minute, 5 seconds'],
  ['en', 277.9, '4 minutes, 37 seconds'],
  ['en', 3600, '1 hour'],
  ['en', 4800, '1 hour, 20 minutes'],
  ['en', -3, '0 seconds'],
  ['es', 65, '1 minuto y 5 segundos'],
] as const)('[PLAY-06] in %s, %d seconds are %s', (language, seconds, expected) => {
  expect(createFormat(language).spokenDuration(seconds)).toBe(expected);
});

it('loads namespaces requested at the same time', async () => {
  await Promise.all([loadNamespace('auth'), loadNamespace('library')]);
  const t = getT();
  expect([t('shell.settings'), t('playlists.favourites')]).toEqual(['Settings', 'Favorites']);
});

it.each([
  ['Ana Torres', 'AT'],
  ['ana', 'A'],
  ['María del Carmen Núñez', 'MN'],
  ['  Álvaro   Ibáñez ', 'ÁI'],
  ['e\u0301lodie o\u0308zil', 'ÉÖ'],
  ['🎧 Reader', '🎧R'],
  ['', '?'],
])('[SHELL-03] the avatar of “%s” shows %s', (name, letters) => {
  expect(getInitials(name)).toBe(letters);
});
