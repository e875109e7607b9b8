import { texts as en } from '../../apps/web/src/shared/i18n/words/en/app.ts';
import { texts as cornerEn } from '../../apps/web/src/shared/i18n/words/en/corner.ts';
import { texts as listeningEn } from '../../apps/web/src/shared/i18n/words/en/listening.ts';
import { texts as moreEn } from '../../apps/web/src/shared/i18n/words/en/more.ts';
import { texts as operatorsEn } from '../../apps/web/src/shared/i18n/words/en/operators.ts';
import { texts as purchaseEn } from '../../apps/web/src/shared/i18n/words/en/purchase.ts';
import { texts as readingEn } from '../../apps/web/src/shared/i18n/words/en/reading.ts';
import { texts as settingsEn } from '../../apps/web/src/shared/i18n/words/en/settings.ts';
import { texts as es } from '../../apps/web/src/shared/i18n/words/es/app.ts';
import { texts as cornerEs } from '../../apps/web/src/shared/i18n/words/es/corner.ts';
import { texts as listeningEs } from '../../apps/web/src/shared/i18n/words/es/listening.ts';
import { texts as moreEs } from '../../apps/web/src/shared/i18n/words/es/more.ts';
import { texts as operatorsEs } from '../../apps/web/src/shared/i18n/words/es/operators.ts';
import { texts as purchaseEs } from '../../apps/web/src/shared/i18n/words/es/purchase.ts';
import { texts as readingEs } from '../../apps/web/src/shared/i18n/words/es/reading.ts';
import { texts as settingsEs } from '../../apps/web/src/shared/i18n/words/es/settings.ts';

const spoken = {
  en: new Map([
    ...en,
    ...moreEn,
    ...cornerEn,
    ...listeningEn,
    ...purchaseEn,
    ...settingsEn,
    ...operatorsEn,
    ...readingEn,
  ]),
  es: new Map([
    ...es,
    ...moreEs,
    ...cornerEs,
    ...listeningEs,
    ...purchaseEs,
    ...settingsEs,
    ...operatorsEs,
    ...readingEs,
  ]),
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
