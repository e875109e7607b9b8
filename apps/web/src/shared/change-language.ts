import type { Language } from './choices.ts';
import { getT, type MessageKey, setLanguage } from './i18n/i18n.ts';
import { toast } from './ui/toast.tsx';

/** The name of each language in itself, for users who know only that one. */
export const ownLanguageNames: Record<Language, MessageKey> = { en: 'shell.english', es: 'shell.spanish' };

/** Shows the app in the language that a user chose (SHELL-08), or why it did not load. */
export const changeLanguage = (language: Language): Promise<void> =>
  setLanguage(language).catch(() => toast(getT()('common.network'), 'error'));
