import { useSyncExternalStore } from 'react';
import { createStore } from 'zustand';
import { chooseLanguage, type Language } from '../choices.ts';
import { createImporter } from '../network.ts';
import { usePreferences, writeLanguageCookie } from '../preferences.ts';
import { createFormat, type Format } from './format.ts';
import { messages as app } from './messages/en/app.ts';
import {
  createT,
  flattenMessages,
  type MessageKey,
  type MessageParams,
  type Namespace,
  type T,
} from './translate.ts';

export type { Language } from '../choices.ts';
export type { Format, MessageKey, MessageParams, Namespace, T };

interface MessageFile {
  messages: Record<string, Record<string, string>>;
}

/** Imports files of messages, by path. */
const importers = new Map(
  Object.entries(import.meta.glob<MessageFile>(['./messages/*/*.ts', '!./messages/en/app.ts'])).map(
    ([path, load]) => [path, createImporter(load)],
  ),
);

/** Loads the messages of a namespace. Those of `app` in English are there from the start. */
const loadFile = async (language: Language, namespace: Namespace): Promise<MessageFile> =>
  (await importers.get(`./messages/${language}/${namespace}.ts`)?.()) ?? { messages: app };

interface I18n {
  language: Language;
  namespaces: ReadonlySet<Namespace>;
  t: T;
  format: Format;
}

async function load(language: Language, namespaces: ReadonlySet<Namespace>): Promise<I18n> {
  const loaded = await Promise.all([...namespaces].map((namespace) => loadFile(language, namespace)));
  const all = new Map(loaded.flatMap(({ messages }) => [...flattenMessages(messages)]));
  return { language, namespaces, t: createT(language, all), format: createFormat(language) };
}

/** Changes only once the messages are loaded, so no page is ever half translated. */
const store = createStore<I18n>(() => ({
  language: 'en',
  namespaces: new Set<Namespace>(['app']),
  t: createT('en', flattenMessages(app)),
  format: createFormat('en'),
}));

/** Returns the translation function outside React. */
export const getT = (): T => store.getState().t;

/** Returns the formats outside React. */
export const getFormat = (): Format => store.getState().format;

const getLanguage = (): Language => store.getState().language;

// Not Zustand's hook: it renders the initial state on hydration, which is English, and not that of the document.
const useI18n = <Value>(get: () => Value) => useSyncExternalStore(store.subscribe, get, get);

/** Returns the translation function: `t(key, params?)`, `t.count(key, n, params?)`. */
export const useT = (): T => useI18n(getT);

/** Returns the language shown now. */
export const useLanguage = (): Language => useI18n(getLanguage);

/** Returns the formats for dates, numbers and durations in the language shown now. */
export const useFormat = (): Format => useI18n(getFormat);

/** Loads the messages of a namespace in the language shown now, e.g. while a page's code loads. Rejects when they cannot be loaded. */
export async function loadNamespace(namespace: Namespace): Promise<void> {
  const { language, namespaces } = store.getState();
  if (namespaces.has(namespace)) return;
  const loaded = await load(language, new Set([...namespaces, namespace]));
  // The language may have changed during the request, or another namespace have been added.
  const now = store.getState();
  if (now.language !== language || now.namespaces !== namespaces) return loadNamespace(namespace);
  store.setState(loaded);
}

/** Loads and shows a language, e.g. to prerender a page. Rejects when its messages cannot be loaded. */
export async function showLanguage(language: Language): Promise<void> {
  store.setState(await load(language, store.getState().namespaces));
}

let requested: Language;

/**
 * Loads and shows a language, sets `<html lang>` and stores it (SHELL-08). Rejects when its messages cannot be loaded.
 *
 * @param isChoice whether the user chose it on this device, so that it wins over the account's
 */
export async function setLanguage(language: Language, isChoice = true): Promise<void> {
  const { namespaces } = store.getState();
  requested = language;
  const loaded = await load(language, namespaces);
  // The last choice wins, however long the messages of another one take.
  if (requested !== language) return;
  if (store.getState().namespaces !== namespaces) return setLanguage(language, isChoice);
  usePreferences.setState({ language, ...(isChoice && { hasChosenLanguage: true }) });
  writeLanguageCookie(language);
  // Setting the attribute makes the browser compute the styles of the whole document again, even for the same value.
  if (document.documentElement.lang !== language) document.documentElement.lang = language;
  store.setState(loaded);
}

/**
 * Sets the first language of a visit before anything is drawn; falls back to English when its messages do not load.
 *
 * @param prerendered the language of a prerendered document, which is hydrated
 */
export async function initLanguage(prerendered: Language | null = null): Promise<void> {
  const chosen = prerendered ?? chooseLanguage(usePreferences.getState().language, navigator.languages);
  await setLanguage(chosen, false).catch(() => {
    document.documentElement.lang = 'en';
  });
}

/** Fetches all messages of every language, one after the other. Rejects at the first that cannot be loaded. */
export async function prefetchMessages(): Promise<void> {
  for (const load of importers.values()) await load();
}

/** Fetches the messages of another language, e.g. when the pointer enters the language menu. */
export async function prefetchLanguage(language: Language): Promise<void> {
  await load(language, store.getState().namespaces);
}
