import { contentLanguage, level as levels, profileForm, type Settings } from '@escucho/contracts';
import { type ReactNode, useId } from 'react';
import { useSession } from '#features/session/session.ts';
import { colorModes, languages } from '#shared/choices.ts';
import { Field, useForm } from '#shared/form.tsx';
import { getInitials } from '#shared/i18n/format.ts';
import { useLanguage, useT } from '#shared/i18n/i18n.ts';
import { setColorMode, usePreferences } from '#shared/preferences.ts';
import { Button } from '#shared/ui/button.tsx';
import { changeLanguage, ownLanguageNames } from '#shared/ui/language-switch.tsx';
import { Section } from '#shared/ui/section.tsx';
import { type Choice, Radios, Select } from '#shared/ui/select.tsx';
import { ErrorState, Skeleton } from '#shared/ui/states.tsx';
import { useSettings } from '../queries.ts';

type ChoiceProps<Id extends string> = Choice<Id> & { label: string };

const Row = ({ label, children }: { label: ReactNode; children: ReactNode }) => (
  <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
    {label}
    {children}
  </div>
);

/** A setting with a few options, shown as radio buttons. */
function RadioRow<Id extends string>({ label, value, options, onChoose }: ChoiceProps<Id>) {
  const name = useId();
  return (
    <Row
      label={
        <span id={name} className="text-sm text-muted">
          {label}
        </span>
      }
    >
      <div
        role="radiogroup"
        aria-labelledby={name}
        className="flex flex-wrap rounded-lg border border-line p-1 text-sm"
      >
        <Radios options={options} value={value} onChoose={onChoose} />
      </div>
    </Row>
  );
}

/** A setting with many options, shown as a select. */
function SelectRow<Id extends string>({ label, value, options, onChoose }: ChoiceProps<Id>) {
  const id = useId();
  return (
    <Row
      label={
        <label htmlFor={id} className="min-w-24 flex-1 text-sm text-muted">
          {label}
        </label>
      }
    >
      <Select
        id={id}
        value={value ?? ''}
        onChange={({ currentTarget }) => {
          const chosen = options[currentTarget.selectedIndex];
          if (chosen) onChoose(chosen.id);
        }}
        className="field w-auto min-w-40"
      >
        {options.map((option) => (
          <option key={option.id} value={option.id}>
            {option.label}
          </option>
        ))}
      </Select>
    </Row>
  );
}

/** The user's initials, name and e-mail. */
function UserSummary() {
  const { user } = useSession();
  return (
    <div className="mb-5 flex items-center gap-4">
      <span
        aria-hidden
        className="avatar grid size-16 shrink-0 place-items-center rounded-full text-lg font-bold"
      >
        {user && getInitials(user.displayName)}
      </span>
      <div className="min-w-0">
        <h2 className="heading text-lg wrap-anywhere">{user?.displayName}</h2>
        <p className="text-sm text-muted wrap-anywhere">{user?.email}</p>
      </div>
    </div>
  );
}

/** The profile settings: names, learning goals, appearance and language (SUB-07). */
export function Profile() {
  const t = useT();
  const { data, isError, isPaused, refetch } = useSettings().query;
  if (!data && (isError || isPaused))
    return <ErrorState text={t('profile.failed')} onRetry={() => void refetch()} />;
  return (
    <>
      <section className="rounded-lg border border-line bg-surface p-5">
        <UserSummary />
        {data ? <NamesForm {...data.settings} /> : <Skeleton className="h-57 sm:h-34" />}
      </section>
      <Section title={t('profile.learning')}>
        {data ? <LearningSettings {...data.settings} /> : <Skeleton className="my-3 h-30" />}
      </Section>
      <Section title={t('profile.look')} text={t('profile.lookHint')}>
        <AppearanceSettings />
      </Section>
      <Section title={t('profile.keyboard')} text={t('profile.keyboardHint')}>
        <KeyboardSettings />
      </Section>
    </>
  );
}

/** The form for the user's names, with the rules of sign-up (AUTH-02). */
function NamesForm({ firstName, lastName }: Settings) {
  const t = useT();
  const { save } = useSettings();
  const { field, submit, busy, values, fill } = useForm(profileForm, { firstName, lastName });
  const saveNames = async (names: typeof values) => {
    const saved = new Map(Object.entries(values));
    // A name that was not edited may have been changed on another device since.
    const changes: Partial<Settings> = {};
    if (names.firstName !== firstName) changes.firstName = names.firstName;
    if (names.lastName !== lastName) changes.lastName = names.lastName;
    if (Object.keys(changes).length === 0) return;
    // An undo changes the fields that still have the saved names.
    return save(changes, () =>
      fill((edits) =>
        Object.fromEntries(Object.entries(edits).filter(([name, value]) => value !== saved.get(name))),
      ),
    );
  };
  return (
    // `save` shows its errors itself.
    <form {...submit(saveNames)} className="grid items-start gap-4 sm:grid-cols-2">
      <Field label={t('session.firstName')} autoComplete="given-name" {...field('firstName')} />
      <Field label={t('session.lastName')} autoComplete="family-name" {...field('lastName')} />
      <div>
        <Button variant="solid" type="submit" busy={busy}>
          {t('common.save')}
        </Button>
      </div>
    </form>
  );
}

/** The language that the user learns, and the level. */
function LearningSettings({ learningLanguage, level }: Settings) {
  const t = useT();
  const { save } = useSettings();
  const notChosen = { id: '', label: t('profile.notChosen') } as const;
  return (
    <>
      <SelectRow
        label={t('profile.learningLanguage')}
        value={learningLanguage}
        options={[
          notChosen,
          ...contentLanguage.options.map((id) => ({ id, label: t(`discover.language_${id}`) })),
        ]}
        onChoose={(id) => void save({ learningLanguage: id || null })}
      />
      <SelectRow
        label={t('profile.level')}
        value={level}
        options={[notChosen, ...levels.options.map((id) => ({ id, label: id }))]}
        onChoose={(id) => void save({ level: id || null })}
      />
    </>
  );
}

/** The theme and language of this device, which are also the defaults of new devices (SHELL-07, SHELL-08). */
function AppearanceSettings() {
  const t = useT();
  const { save } = useSettings();
  const language = useLanguage();
  const theme = usePreferences(({ colorMode }) => colorMode);
  return (
    <>
      <RadioRow
        label={t('pages.appearance')}
        value={theme}
        options={colorModes.map((id) => ({ id, label: t(`pages.${id}`) }))}
        onChoose={(selected) => {
          setColorMode(selected);
          void save({ theme: selected }, () => setColorMode(theme));
        }}
      />
      <RadioRow
        label={t('shell.language')}
        value={language}
        options={languages.map((id) => ({ id, label: t(ownLanguageNames[id]), lang: id }))}
        onChoose={async (selected) => {
          if (await changeLanguage(selected))
            await save({ language: selected }, () => void changeLanguage(language));
        }}
      />
    </>
  );
}

/** Whether keys of one character are shortcuts on this device: speech input may press them (WCAG 2.1.4). */
function KeyboardSettings() {
  const t = useT();
  const hasCharacterKeys = usePreferences((preferences) => preferences.hasCharacterKeys);
  return (
    <RadioRow
      label={t('profile.characterKeys')}
      value={hasCharacterKeys ? 'on' : 'off'}
      options={[
        { id: 'on', label: t('profile.on') },
        { id: 'off', label: t('profile.off') },
      ]}
      onChoose={(selected) => usePreferences.setState({ hasCharacterKeys: selected === 'on' })}
    />
  );
}
