import type { Settings } from '@escucho/contracts';
import { colorModes, type Language, languages } from '#shared/choices.ts';
import { getT, type MessageKey, setLanguage, useLanguage, useT } from '#shared/i18n/i18n.ts';
import { setColorMode, usePreferences } from '#shared/preferences.ts';
import { toast } from '#shared/ui/toast.ts';
import { Choice } from './choices.tsx';

const languageNames: Record<Language, MessageKey> = { en: 'shell.english', es: 'shell.spanish' };

const speak = (language: Language): Promise<void> =>
  setLanguage(language).catch(() => toast(getT()('common.network'), 'error'));

interface Props {
  onSave: (change: Partial<Settings>, undone: () => void) => Promise<void>;
}

/** How the app looks and speaks here, which new devices begin with (SHELL-07, SHELL-08). */
export function LookChoices({ onSave }: Props) {
  const t = useT();
  const language = useLanguage();
  const theme = usePreferences(({ colorMode }) => colorMode);
  return (
    <>
      <Choice
        label={t('pages.appearance')}
        value={theme}
        options={colorModes.map((id) => ({ id, label: t(`pages.${id}`) }))}
        onChoose={(id) => {
          const chosen = colorModes.find((mode) => mode === id);
          if (!chosen) return;
          setColorMode(chosen);
          void onSave({ theme: chosen }, () => setColorMode(theme));
        }}
      />
      <Choice
        label={t('shell.language')}
        value={language}
        options={languages.map((id) => ({ id, label: t(languageNames[id]) }))}
        onChoose={(id) => {
          const chosen = languages.find((one) => one === id);
          if (chosen) void speak(chosen).then(() => onSave({ language: chosen }, () => void speak(language)));
        }}
      />
    </>
  );
}
