import * as z from 'zod/mini';
import { type ColorMode, chooseLanguage, colorModes, type Language, languages } from './choices.ts';
import { createPersistedStore } from './storage.ts';

interface Preferences {
  colorMode: ColorMode;
  /** Null before the first visit. */
  language: Language | null;
  /** Whether the theme was chosen on this device. Else it is the default, or the account's. */
  hasChosenColorMode: boolean;
  /** Whether the language was chosen on this device. Else it was detected, or is the account's. */
  hasChosenLanguage: boolean;
  /** Whether keys of one character, such as K, are shortcuts (WCAG 2.1.4). */
  hasCharacterKeys: boolean;
}

const stored = z.object({
  colorMode: z.catch(z.enum(colorModes), 'dark'),
  language: z.catch(z.nullable(z.enum(languages)), null),
  hasChosenColorMode: z.catch(z.optional(z.boolean()), undefined),
  hasChosenLanguage: z.catch(z.optional(z.boolean()), undefined),
  hasCharacterKeys: z.catch(z.boolean(), true),
});

/** Version 1 did not store which values were chosen: a value that no detection gives was. */
function parsePreferences(value: unknown): Partial<Preferences> {
  const { data } = stored.safeParse(value);
  if (!data) return {};
  const { colorMode, language, hasCharacterKeys } = data;
  const isDetected = language === null || language === chooseLanguage(null, navigator.languages);
  return {
    colorMode,
    language,
    hasChosenColorMode: data.hasChosenColorMode ?? colorMode !== 'dark',
    hasChosenLanguage: data.hasChosenLanguage ?? !isDetected,
    hasCharacterKeys,
  };
}

/** config-storage: theme, language and shortcuts on this device (SHELL-07, SHELL-08). The boot script reads it too. */
export const usePreferences = createPersistedStore<Preferences>({
  name: 'config-storage',
  version: 2,
  initial: {
    colorMode: 'dark',
    language: null,
    hasChosenColorMode: false,
    hasChosenLanguage: false,
    hasCharacterKeys: true,
  },
  isShared: true,
  parse: parsePreferences,
});

// A change may also bring the theme that another tab has stored since.
usePreferences.subscribe(({ colorMode }) => {
  document.documentElement.dataset.theme = colorMode;
});

/** Stores the language for the server, which sends prerendered pages in it. */
export function writeLanguageCookie(language: Language): void {
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API
  document.cookie = `language=${language}; Path=/; Max-Age=31536000; SameSite=Lax`;
}

/**
 * Applies a theme and stores it (SHELL-07). Transitions are off for two frames, so that the switch is one paint.
 *
 * @param isChoice whether the user chose it on this device, so that it wins over the account's (SHELL-08)
 */
export function setColorMode(colorMode: ColorMode, isChoice = true): void {
  const root = document.documentElement;
  root.dataset.switching = '';
  usePreferences.setState({ colorMode, ...(isChoice && { hasChosenColorMode: true }) });
  requestAnimationFrame(() => requestAnimationFrame(() => delete root.dataset.switching));
}

/** The typefaces of the text: serif, or one with letters that are easy to distinguish. */
export const typefaces = ['book', 'clear'] as const;

/** The range of text sizes, in percent. */
export const textSizes = { min: 80, max: 200, step: 10 } as const;

const readingSchema = z.object({
  size: z.catch(z.number().check(z.minimum(textSizes.min), z.maximum(textSizes.max)), 100),
  face: z.catch(z.enum(typefaces), 'book'),
  /** Whether the translation is shown below each sentence. */
  hasTranslation: z.catch(z.boolean(), false),
  /** Whether the full player shows the text instead of the cover, in portrait. */
  isReading: z.catch(z.boolean(), false),
  /** Whether "next" and "previous" on the lock screen go by sentences. */
  hasSentenceKeys: z.catch(z.boolean(), false),
});

/** The user's preferences for reading along, persisted as reading-storage (PLAY-08). */
export const useReadingPreferences = createPersistedStore({
  name: 'reading-storage',
  version: 1,
  initial: readingSchema.parse({}),
  isShared: true,
  parse: (value) => readingSchema.safeParse(value).data ?? {},
});
