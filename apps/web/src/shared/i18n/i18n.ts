import { create } from 'zustand';
import { chooseLanguage, type Language } from '../choices.ts';
import { usePreferences } from '../preferences.ts';
import type { Texts } from './flatten.ts';
import { type Format, formatsOf } from './format.ts';
import { type CountKey, type Key, type Params, type T, translator } from './translate.ts';
import { texts as english } from './words/en/app.ts';

export type { Language } from '../choices.ts';
export type { CountKey, Format, Key, Params, T };

/** `app`: there from the start; the others come with the pages and parts that need them. */
export type WordSet =
  | 'app'
  | 'more'
  | 'corner'
  | 'listening'
  | 'purchase'
  | 'reading'
  | 'settings'
  | 'operators';

const loaders: Record<Language, Record<WordSet, () => Promise<{ texts: Texts }>>> = {
  en: {
    app: async () => ({ texts: english }),
    more: () => import('./words/en/more.ts'),
    corner: () => import('./words/en/corner.ts'),
    listening: () => import('./words/en/listening.ts'),
    purchase: () => import('./words/en/purchase.ts'),
    reading: () => import('./words/en/reading.ts'),
    settings: () => import('./words/en/settings.ts'),
    operators: () => import('./words/en/operators.ts'),
  },
  es: {
    app: () => import('./words/es/app.ts'),
    more: () => import('./words/es/more.ts'),
    corner: () => import('./words/es/corner.ts'),
    listening: () => import('./words/es/listening.ts'),
    purchase: () => import('./words/es/purchase.ts'),
    reading: () => import('./words/es/reading.ts'),
    settings: () => import('./words/es/settings.ts'),
    operators: () => import('./words/es/operators.ts'),
  },
};

interface Spoken {
  language: Language;
  sets: ReadonlySet<WordSet>;
  t: T;
  format: Format;
}

async function speak(language: Language, sets: ReadonlySet<WordSet>): Promise<Spoken> {
  const loaded = await Promise.all([...sets].map((set) => loaders[language][set]()));
  const all = new Map(loaded.flatMap(({ texts }) => [...texts]));
  return { language, sets, t: translator(language, all), format: formatsOf(language) };
}

/** What is spoken now: it changes only once the words are there, so no page is ever half translated. */
const useSpoken = create<Spoken>(() => ({
  language: 'en',
  sets: new Set<WordSet>(['app']),
  t: translator('en', english),
  format: formatsOf('en'),
}));

/** The reader's words: `t(key, params?)`, `t.count(key, n, params?)`. */
export const useT = (): T => useSpoken((spoken) => spoken.t);

/** The language shown now. */
export const useLanguage = (): Language => useSpoken((spoken) => spoken.language);

/** Dates, numbers and durations in the reader's language. */
export const useFormat = (): Format => useSpoken((spoken) => spoken.format);

/** Words outside React. */
export const currentT = (): T => useSpoken.getState().t;

/** Dates, numbers and durations outside React. */
export const currentFormat = (): Format => useSpoken.getState().format;

/** Gets a set of words ready in the language of now, e.g. while a page's code loads. Rejects when they cannot be loaded. */
export async function needWords(set: WordSet): Promise<void> {
  const { language, sets } = useSpoken.getState();
  if (sets.has(set)) return;
  const spoken = await speak(language, new Set([...sets, set]));
  // Meanwhile the reader may have chosen another language, or another part have brought its words.
  const now = useSpoken.getState();
  if (now.language !== language || now.sets !== sets) return needWords(set);
  useSpoken.setState(spoken);
}

/** Loads the words, shows them, sets `<html lang>` and keeps the choice (SHELL-08). Rejects when the words cannot be loaded. */
export async function setLanguage(language: Language): Promise<void> {
  const { sets } = useSpoken.getState();
  const spoken = await speak(language, sets);
  if (useSpoken.getState().sets !== sets) return setLanguage(language);
  usePreferences.setState({ language });
  document.documentElement.lang = language;
  useSpoken.setState(spoken);
}

/** The first language of this visit, with its words, before anything is drawn. Falls back to English when words do not load. */
export async function startLanguage(): Promise<void> {
  const chosen = chooseLanguage(usePreferences.getState().language, navigator.languages);
  await setLanguage(chosen).catch(() => {
    document.documentElement.lang = 'en';
  });
}

/** Gets another language ready, e.g. while the pointer nears the switch. */
export async function prepareLanguage(language: Language): Promise<void> {
  await speak(language, useSpoken.getState().sets);
}
