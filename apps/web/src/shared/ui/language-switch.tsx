import { Languages } from 'lucide-react';
import { type Language, languages } from '../choices.ts';
import { getT, type MessageKey, prefetchLanguage, setLanguage, useLanguage, useT } from '../i18n/i18n.ts';
import { usePreferences } from '../preferences.ts';
import { IconButton } from './button.tsx';
import { Menu } from './menu.tsx';
import { toast } from './toast.tsx';

/** The name of each language in itself, for users who know only that one. */
export const ownLanguageNames: Record<Language, MessageKey> = { en: 'shell.english', es: 'shell.spanish' };

/**
 * Shows the app in the language that a user chose (SHELL-08), or why it did not load.
 *
 * @returns whether it is shown: another one may have been chosen while it loaded
 */
export async function changeLanguage(language: Language): Promise<boolean> {
  await setLanguage(language).catch(() => toast(getT()('common.network'), 'error'));
  return usePreferences.getState().language === language;
}

/** The menu of languages (SHELL-08). Their messages are prefetched on hover or focus. */
export function LanguageSwitch() {
  const t = useT();
  const language = useLanguage();
  const prefetch = () => languages.forEach((option) => void prefetchLanguage(option).catch(() => undefined));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only prefetches; the button inside is the control
    <span onPointerEnter={prefetch} onFocus={prefetch} className="contents">
      <Menu
        trigger={
          <IconButton label={t('shell.language')}>
            <Languages />
          </IconButton>
        }
        value={language}
        items={() =>
          languages.map((option) => ({
            id: option,
            label: <span lang={option}>{t(ownLanguageNames[option])}</span>,
            onSelect: () => void changeLanguage(option),
          }))
        }
      />
    </span>
  );
}
