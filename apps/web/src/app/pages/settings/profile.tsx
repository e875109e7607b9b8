import type { ReactNode } from 'react';
import { useSession } from '../../../features/session/session.ts';
import { colorModes, languages } from '../../../shared/choices.ts';
import { type Key, type Language, setLanguage, useLanguage, useT } from '../../../shared/i18n/i18n.ts';
import { setColorMode, usePreferences } from '../../../shared/preferences.ts';
import { toast } from '../../../shared/ui/toast.ts';

const languageNames: Record<Language, Key> = { en: 'shell.english', es: 'shell.spanish' };

const Row = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-4">
    <dt className="text-sm text-muted">{label}</dt>
    <dd className="min-w-0 wrap-anywhere">{children}</dd>
  </div>
);

interface ChoiceProps {
  name: string;
  value: string;
  options: readonly { id: string; label: string; choose: () => void }[];
}

/** One of a few, all in sight. */
const Choice = ({ name, value, options }: ChoiceProps) => (
  <fieldset className="flex rounded-full border border-line p-1 text-sm">
    <legend className="sr-only">{name}</legend>
    {options.map(({ id, label, choose }) => (
      <label key={id} className="choice">
        <input type="radio" className="sr-only" name={name} checked={id === value} onChange={choose} />
        {label}
      </label>
    ))}
  </fieldset>
);

/** Who the reader is, and how the app looks and speaks to them (SUB-07). */
export function ProfilePage() {
  const t = useT();
  const { user } = useSession();
  const language = useLanguage();
  const colorMode = usePreferences((preferences) => preferences.colorMode);
  const speak = (one: Language) => () =>
    void setLanguage(one).catch(() => toast(t('common.network'), 'error'));
  return (
    <dl className="divide-y divide-line rounded-lg border border-line bg-surface px-5">
      <Row label={t('pages.name')}>{user?.displayName}</Row>
      <Row label={t('pages.email')}>{user?.email ?? '–'}</Row>
      <Row label={t('pages.appearance')}>
        <Choice
          name={t('pages.appearance')}
          value={colorMode}
          options={colorModes.map((mode) => ({
            id: mode,
            label: t(`pages.${mode}`),
            choose: () => setColorMode(mode),
          }))}
        />
      </Row>
      <Row label={t('shell.language')}>
        <Choice
          name={t('shell.language')}
          value={language}
          options={languages.map((one) => ({ id: one, label: t(languageNames[one]), choose: speak(one) }))}
        />
      </Row>
    </dl>
  );
}
