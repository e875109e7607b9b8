import { limits } from '@escucho/contracts';
import { clsx } from 'clsx';
import { ALargeSmall, ChevronFirst, ChevronLast, CirclePause, Languages, Repeat1, Snail } from 'lucide-react';
import { type ComponentProps, useId } from 'react';
import { useFormat, useT } from '#shared/i18n/i18n.ts';
import { textSizes, typefaces, useReadingPreferences } from '#shared/preferences.ts';
import { IconButton } from '#shared/ui/button.tsx';
import { Disclosure } from '#shared/ui/disclosure.tsx';
import { Slider } from '#shared/ui/slider.tsx';
import { dispatch, usePlayer } from '../engine/store.ts';

const { anySpeed } = limits.player;

const SliderRow = ({ shown, ...slider }: ComponentProps<typeof Slider> & { shown: string }) => (
  <div className="grid gap-1">
    <p aria-hidden className="flex justify-between text-sm">
      {slider.label}
      <span className="text-muted tabular-nums">{shown}</span>
    </p>
    <Slider {...slider} />
  </div>
);

/** The settings of the text: size, speed, typeface, and the lock screen's buttons (PLAY-08). */
function ReadingSettings() {
  const t = useT();
  const format = useFormat();
  const name = useId();
  const speed = usePlayer((player) => player.speed);
  const { size, face, hasSentenceKeys } = useReadingPreferences();
  return (
    <div style={{ accentColor: 'var(--accent)' }} className="grid gap-4 p-4 text-left font-sans">
      <SliderRow
        label={t('reading.size')}
        shown={t('player.percent', { n: size })}
        value={size}
        {...textSizes}
        text={(n) => t('player.percent', { n })}
        onChange={(value) => useReadingPreferences.setState({ size: value })}
      />
      <SliderRow
        label={t('reading.speed')}
        shown={`${format.number(speed)}×`}
        value={speed}
        {...anySpeed}
        text={(value) => t('reading.speedText', { speed: format.number(value) })}
        onChange={(value) => dispatch({ type: 'setSpeed', speed: value })}
      />
      <div role="radiogroup" aria-label={t('reading.face')} className="grid grid-cols-2 gap-2">
        {typefaces.map((one) => (
          <label
            key={one}
            className={clsx(
              'flex min-h-11 cursor-pointer items-center gap-2 rounded-md border px-2 text-sm',
              one === face ? 'border-accent bg-accent-soft text-accent-text' : 'border-line hover:bg-hover',
            )}
          >
            <input
              type="radio"
              name={name}
              checked={one === face}
              onChange={() => useReadingPreferences.setState({ face: one })}
            />
            <span className={one === 'book' ? 'font-serif' : undefined}>
              {t(one === 'book' ? 'reading.faceBook' : 'reading.faceClear')}
            </span>
          </label>
        ))}
      </div>
      {'mediaSession' in navigator && (
        <label className="flex min-h-11 cursor-pointer items-center gap-3 text-sm">
          <input
            type="checkbox"
            checked={hasSentenceKeys}
            onChange={({ currentTarget }) =>
              useReadingPreferences.setState({ hasSentenceKeys: currentTarget.checked })
            }
            className="size-5 shrink-0"
          />
          {t('reading.lockScreen')}
        </label>
      )}
    </div>
  );
}

const Toggle = ({ isOn, ...rest }: ComponentProps<typeof IconButton> & { isOn: boolean }) => (
  <IconButton aria-pressed={isOn} className={clsx(isOn && 'bg-accent-soft text-accent-text')} {...rest} />
);

const practiceModes = [
  { mode: 'loop', label: 'reading.loop', Icon: Repeat1 },
  { mode: 'speedLadder', label: 'reading.ladder', Icon: Snail },
  { mode: 'pauseAfterSentence', label: 'reading.pause', Icon: CirclePause },
] as const;

/** The buttons of the text (PLAY-08): previous and next sentence, practice modes, translation and settings. */
export function ReadingTools({ hasTranslation }: { hasTranslation: boolean }) {
  const t = useT();
  const activeMode = usePlayer(({ practice }) => practice?.mode);
  const isTranslated = useReadingPreferences((reading) => reading.hasTranslation);
  return (
    <fieldset
      aria-label={t('reading.tools')}
      // Negative margins fit all touch targets in one row at 320 px, narrower ones beside the controls of a small phone.
      className="relative -mx-3.5 flex flex-wrap justify-center justify-self-center max-sm:low:[&_button]:w-10"
    >
      <IconButton
        label={t('reading.previous')}
        onClick={() => dispatch({ type: 'stepSentence', direction: -1 })}
      >
        <ChevronFirst />
      </IconButton>
      {practiceModes.map(({ mode, label, Icon }) => (
        <Toggle
          key={mode}
          label={t(label)}
          isOn={mode === activeMode}
          onClick={() => dispatch({ type: 'togglePractice', mode })}
        >
          <Icon />
        </Toggle>
      ))}
      <IconButton label={t('reading.next')} onClick={() => dispatch({ type: 'stepSentence', direction: 1 })}>
        <ChevronLast />
      </IconButton>
      {hasTranslation && (
        <Toggle
          label={t('common.translation')}
          isOn={isTranslated}
          onClick={() => useReadingPreferences.setState({ hasTranslation: !isTranslated })}
        >
          <Languages />
        </Toggle>
      )}
      <Disclosure label={t('reading.settings')} icon={<ALargeSmall />} className="w-64">
        {() => <ReadingSettings />}
      </Disclosure>
    </fieldset>
  );
}
