import { type Learning, level as levels } from '@escucho/contracts';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type Language, languages } from '#shared/choices.ts';
import { useLanguage, useT } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { Dialog } from '#shared/ui/dialog.tsx';
import { changeLanguage, ownLanguageNames } from '#shared/ui/language-switch.tsx';
import { type Choice, Radios } from '#shared/ui/select.tsx';
import { useSettingsMutation } from '../queries.ts';

type OptionsProps<Id extends string> = Choice<Id> & {
  label: string;
  hideLabel?: boolean;
  className: string;
};

function Options<Id extends string>(props: OptionsProps<Id>) {
  const { label, hideLabel = false, className, ...radios } = props;
  return (
    <fieldset>
      <legend className={hideLabel ? 'sr-only' : 'mb-2 text-sm text-muted'}>{label}</legend>
      <div className={className}>
        <Radios
          {...radios}
          className="flex min-h-12 cursor-pointer items-center gap-3 rounded-lg border border-line px-4 py-2 text-sm has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent hover:border-line-strong"
        />
      </div>
    </fieldset>
  );
}

/** One of the screens, which takes the focus: the dialog opens by itself, and the button that led to the next is gone. */
function Screen({ children }: { children: ReactNode }) {
  const screen = useRef<HTMLDivElement>(null);
  useEffect(() => screen.current?.focus(), []);
  return (
    <div ref={screen} tabIndex={-1} className="grid gap-5 outline-none">
      {children}
    </div>
  );
}

const languageGrid = 'grid grid-cols-[repeat(auto-fit,minmax(min(7rem,100%),1fr))] gap-3';

interface LevelStepProps {
  isBusy: boolean;
  onBack: () => void;
  onSkip: () => void;
  onFinish: (level: Learning['level']) => void;
}

/** The second screen: how well the user knows the language. */
function LevelStep({ isBusy, onBack, onSkip, onFinish }: LevelStepProps) {
  const t = useT();
  const [level, setLevel] = useState<Learning['level']>(null);
  return (
    <Screen>
      <p className="-mt-2 text-sm text-muted text-pretty">{t('onboarding.levelText')}</p>
      <Options
        label={t('profile.level')}
        hideLabel
        className="grid gap-2"
        value={level}
        options={levels.options.map((id) => ({
          id,
          label: (
            <>
              <b className="w-6 shrink-0 font-semibold">{id}</b>
              <span className="min-w-0">{t(`onboarding.${id}`)}</span>
            </>
          ),
        }))}
        onChoose={setLevel}
      />
      <div className="flex flex-wrap justify-between gap-3">
        <Button variant="ghost" onClick={onBack} className="px-3">
          {t('onboarding.back')}
        </Button>
        <span className="flex flex-wrap gap-1">
          <Button variant="ghost" onClick={onSkip} className="px-3">
            {t('onboarding.skip')}
          </Button>
          <Button variant="solid" busy={isBusy} disabled={level === null} onClick={() => onFinish(level)}>
            {t('onboarding.start')}
          </Button>
        </span>
      </div>
    </Screen>
  );
}

/**
 * Asks a user who has signed up what to learn, on two screens over the page that the user came to. Skipping leaves the
 * settings as they are; where that cannot be saved, the questions come again at the next visit.
 */
export function Onboarding() {
  const t = useT();
  const shown = useLanguage();
  const [learned, setLearned] = useState<Language>(() => (shown === 'en' ? 'es' : 'en'));
  const [step, setStep] = useState<'language' | 'level' | 'closed'>('language');
  const { mutate, isPending } = useSettingsMutation();
  // The first screen has an answer before the user has looked at it.
  const answers = step === 'level' ? { learningLanguage: learned, language: shown } : {};
  const skip = () => {
    setStep('closed');
    mutate({ ...answers, isOnboarded: true });
  };
  if (step === 'closed') return null;
  return (
    <Dialog title={t(step === 'language' ? 'onboarding.whatTitle' : 'onboarding.levelTitle')} onClose={skip}>
      {step === 'language' ? (
        <Screen>
          <Options
            label={t('onboarding.whichLanguage')}
            className={languageGrid}
            value={learned}
            options={languages.map((id) => ({ id, label: t(`discover.language_${id}`) }))}
            onChoose={setLearned}
          />
          <Options
            label={t('onboarding.fromLanguage')}
            className={languageGrid}
            value={shown}
            options={languages.map((id) => ({ id, label: t(ownLanguageNames[id]), lang: id }))}
            onChoose={(id) => void changeLanguage(id)}
          />
          <div className="flex flex-wrap justify-between gap-3">
            <Button variant="ghost" onClick={skip} className="px-3">
              {t('onboarding.skip')}
            </Button>
            <Button variant="solid" onClick={() => setStep('level')}>
              {t('onboarding.next')}
            </Button>
          </div>
        </Screen>
      ) : (
        <LevelStep
          isBusy={isPending}
          onBack={() => setStep('language')}
          onSkip={skip}
          onFinish={(level) => mutate({ ...answers, level, isOnboarded: true })}
        />
      )}
    </Dialog>
  );
}
