import { Languages } from 'lucide-react';
import { languages } from '#shared/choices.ts';
import {
  getT,
  type Language,
  type MessageKey,
  prefetchLanguage,
  setLanguage,
  useLanguage,
  useT,
} from '#shared/i18n/i18n.ts';
import { IconButton } from '#shared/ui/icon-button.tsx';
import { Menu } from '#shared/ui/menu.tsx';
import { toast } from '#shared/ui/toast.ts';

const names: Record<Language, MessageKey> = { en: 'shell.english', es: 'shell.spanish' };

const choose = (language: Language) => () =>
  void setLanguage(language).catch(() => toast(getT()('common.network'), 'error'));

/** English or Spanish (SHELL-08). The words are fetched while the pointer nears. */
export function LanguageSwitch() {
  const t = useT();
  const language = useLanguage();
  const prepare = () => languages.forEach((one) => void prefetchLanguage(one).catch(() => undefined));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only listens to the pointer coming near the button inside
    <span onPointerEnter={prepare} onFocus={prepare} className="contents">
      <Menu
        trigger={
          <IconButton label={t('shell.language')}>
            <Languages />
          </IconButton>
        }
        value={language}
        items={() =>
          languages.map((one) => ({
            id: one,
            label: <span lang={one}>{t(names[one])}</span>,
            onSelect: choose(one),
          }))
        }
      />
    </span>
  );
}
