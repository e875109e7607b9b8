export const colorModes = ['dark', 'light'] as const;
export const languages = ['en', 'es'] as const;
export type ColorMode = (typeof colorModes)[number];
export type Language = (typeof languages)[number];

/**
 * The language to start with (SHELL-08). In: the stored choice and the browser's languages, best first.
 * Out: the stored one, else the first of the browser's that the app speaks, else English.
 */
export function chooseLanguage(kept: Language | null, browser: readonly string[]): Language {
  if (kept) return kept;
  const tags = browser.map((tag) => tag.toLowerCase().split('-')[0]);
  return tags.flatMap((tag) => languages.filter((language) => language === tag))[0] ?? 'en';
}
