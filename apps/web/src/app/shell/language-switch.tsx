import { Languages } from 'lucide-react';
import { changeLanguage, ownLanguageNames } from '#shared/change-language.ts';
import { languages } from '#shared/choices.ts';
import { prefetchLanguage, useLanguage, useT } from '#shared/i18n/i18n.ts';
import { IconButton } from '#shared/ui/button.tsx';
import { Menu } from '#shared/ui/menu.tsx';

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
