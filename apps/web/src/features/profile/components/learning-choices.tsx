import type { Settings } from '@escucho/contracts';
import { useT } from '#shared/i18n/i18n.ts';
import { Selection } from './choices.tsx';

const levels = ['A1', 'A2', 'B1', 'B2', 'C1', 'C2'] as const;
const learned = ['en', 'es'] as const;
const none = '';

interface Props {
  settings: Settings;
  onSave: (change: Partial<Settings>) => Promise<void>;
}

/** What the reader learns, and how far they are. */
export function LearningChoices({ settings, onSave }: Props) {
  const t = useT();
  const nothing = { id: none, label: t('profile.notChosen') };
  const names = { en: t('profile.english'), es: t('profile.spanish') };
  return (
    <>
      <Selection
        label={t('profile.learningLanguage')}
        value={settings.learningLanguage ?? none}
        options={[nothing, ...learned.map((id) => ({ id, label: names[id] }))]}
        onChoose={(id) => void onSave({ learningLanguage: learned.find((one) => one === id) ?? null })}
      />
      <Selection
        label={t('profile.level')}
        value={settings.level ?? none}
        options={[nothing, ...levels.map((id) => ({ id, label: id }))]}
        onChoose={(id) => void onSave({ level: levels.find((one) => one === id) ?? null })}
      />
    </>
  );
}
