export const colorModes = ['dark', 'light'] as const;
export const languages = ['en', 'es'] as const;
export type ColorMode = (typeof colorModes)[number];
export type Language = (typeof languages)[number];

/**
 * Returns the initial language (SHELL-08): the stored one, else the browser's first that is supported, else English.
 *
 * @param preferred the browser's languages in order of preference
 */
export function chooseLanguage(stored: Language | null, preferred: readonly string[]): Language {
  if (stored) return stored;
  const tags = preferred.map((tag) => tag.toLowerCase().split('-')[0]);
  return tags.flatMap((tag) => languages.filter((language) => language === tag))[0] ?? 'en';
}
