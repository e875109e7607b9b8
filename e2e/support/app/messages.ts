import { messages as appEn } from '../../../apps/web/src/shared/i18n/messages/en/app.ts';
import { messages as articlesEn } from '../../../apps/web/src/shared/i18n/messages/en/articles.ts';
import { messages as authEn } from '../../../apps/web/src/shared/i18n/messages/en/auth.ts';
import { messages as legalEn } from '../../../apps/web/src/shared/i18n/messages/en/legal.ts';
import { messages as libraryEn } from '../../../apps/web/src/shared/i18n/messages/en/library.ts';
import { messages as operatorsEn } from '../../../apps/web/src/shared/i18n/messages/en/operators.ts';
import { messages as playerEn } from '../../../apps/web/src/shared/i18n/messages/en/player.ts';
import { messages as securityEn } from '../../../apps/web/src/shared/i18n/messages/en/security.ts';
import { messages as settingsEn } from '../../../apps/web/src/shared/i18n/messages/en/settings.ts';
import { messages as subscriptionEn } from '../../../apps/web/src/shared/i18n/messages/en/subscription.ts';
import { messages as welcomeEn } from '../../../apps/web/src/shared/i18n/messages/en/welcome.ts';
import { messages as appEs } from '../../../apps/web/src/shared/i18n/messages/es/app.ts';
import { messages as articlesEs } from '../../../apps/web/src/shared/i18n/messages/es/articles.ts';
import { messages as authEs } from '../../../apps/web/src/shared/i18n/messages/es/auth.ts';
import { messages as legalEs } from '../../../apps/web/src/shared/i18n/messages/es/legal.ts';
import { messages as libraryEs } from '../../../apps/web/src/shared/i18n/messages/es/library.ts';
import { messages as operatorsEs } from '../../../apps/web/src/shared/i18n/messages/es/operators.ts';
import { messages as playerEs } from '../../../apps/web/src/shared/i18n/messages/es/player.ts';
import { messages as securityEs } from '../../../apps/web/src/shared/i18n/messages/es/security.ts';
import { messages as settingsEs } from '../../../apps/web/src/shared/i18n/messages/es/settings.ts';
import { messages as subscriptionEs } from '../../../apps/web/src/shared/i18n/messages/es/subscription.ts';
import { messages as welcomeEs } from '../../../apps/web/src/shared/i18n/messages/es/welcome.ts';
import { flattenMessages, type MessageKey } from '../../../apps/web/src/shared/i18n/translate.ts';

export type { MessageKey };

const merge = (namespaces: Record<string, Record<string, string>>[]) =>
  new Map(namespaces.flatMap((messages) => [...flattenMessages(messages)]));

const texts = {
  en: merge([
    appEn,
    articlesEn,
    authEn,
    legalEn,
    libraryEn,
    operatorsEn,
    playerEn,
    securityEn,
    settingsEn,
    subscriptionEn,
    welcomeEn,
  ]),
  es: merge([
    appEs,
    articlesEs,
    authEs,
    legalEs,
    libraryEs,
    operatorsEs,
    playerEs,
    securityEs,
    settingsEs,
    subscriptionEs,
    welcomeEs,
  ]),
};

export const languages = ['en', 'es'] as const;
export type Language = (typeof languages)[number];
export const themes = ['dark', 'light'] as const;
export type Theme = (typeof themes)[number];

/** Returns a message of the app by its key, with its parameters filled in. */
export type Translate = (key: MessageKey, params?: Record<string, string | number>) => string;

/**
 * Returns the app's messages in a language, for tests that visit screens in every language. Other tests spell texts
 * out.
 */
export function createTranslate(language: Language): Translate {
  const languageTexts = texts[language];
  return (key, params = {}) => {
    const text = languageTexts.get(key);
    if (text === undefined) throw new Error(`There is no message ${key}.`);
    return text.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name]));
  };
}
