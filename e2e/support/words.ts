import { messages as appEn } from '../../apps/web/src/shared/i18n/messages/en/app.ts';
import { messages as articlesEn } from '../../apps/web/src/shared/i18n/messages/en/articles.ts';
import { messages as authEn } from '../../apps/web/src/shared/i18n/messages/en/auth.ts';
import { messages as libraryEn } from '../../apps/web/src/shared/i18n/messages/en/library.ts';
import { messages as operatorsEn } from '../../apps/web/src/shared/i18n/messages/en/operators.ts';
import { messages as playerEn } from '../../apps/web/src/shared/i18n/messages/en/player.ts';
import { messages as settingsEn } from '../../apps/web/src/shared/i18n/messages/en/settings.ts';
import { messages as subscriptionEn } from '../../apps/web/src/shared/i18n/messages/en/subscription.ts';
import { messages as appEs } from '../../apps/web/src/shared/i18n/messages/es/app.ts';
import { messages as articlesEs } from '../../apps/web/src/shared/i18n/messages/es/articles.ts';
import { messages as authEs } from '../../apps/web/src/shared/i18n/messages/es/auth.ts';
import { messages as libraryEs } from '../../apps/web/src/shared/i18n/messages/es/library.ts';
import { messages as operatorsEs } from '../../apps/web/src/shared/i18n/messages/es/operators.ts';
import { messages as playerEs } from '../../apps/web/src/shared/i18n/messages/es/player.ts';
import { messages as settingsEs } from '../../apps/web/src/shared/i18n/messages/es/settings.ts';
import { messages as subscriptionEs } from '../../apps/web/src/shared/i18n/messages/es/subscription.ts';
import { flattenMessages } from '../../apps/web/src/shared/i18n/translate.ts';

const merge = (namespaces: Record<string, Record<string, string>>[]) =>
  new Map(namespaces.flatMap((messages) => [...flattenMessages(messages)]));

const spoken = {
  en: merge([appEn, articlesEn, authEn, libraryEn, operatorsEn, playerEn, settingsEn, subscriptionEn]),
  es: merge([appEs, articlesEs, authEs, libraryEs, operatorsEs, playerEs, settingsEs, subscriptionEs]),
};

export const languages = ['en', 'es'] as const;
export type Language = (typeof languages)[number];
export const themes = ['dark', 'light'] as const;
export type Theme = (typeof themes)[number];

/** A text of the app by its key, with its parameters filled in. */
export type Say = (key: string, params?: Record<string, string | number>) => string;

/** The app's own words, for visits that go through every screen in every language; stories about words spell them out. */
export function wordsOf(language: Language): Say {
  const texts = spoken[language];
  return (key, params = {}) => {
    const text = texts.get(key);
    if (text === undefined) throw new Error(`The app has no words for ${key}.`);
    return text.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name]));
  };
}
