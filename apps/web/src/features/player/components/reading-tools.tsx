import { ALargeSmall, ChevronFirst, ChevronLast, CirclePause, Languages, Repeat1, Snail } from 'lucide-react';
import type { ComponentProps } from 'react';
import { useT } from '#shared/i18n/i18n.ts';
import { cn } from '#shared/ui/cn.ts';
import { Disclosure } from '#shared/ui/disclosure.tsx';
import { IconButton } from '#shared/ui/icon-button.tsx';
import { dispatch } from '../engine/events.ts';
import { usePlayer } from '../engine/store.ts';
import { useReadingPreferences } from '../reading-preferences.ts';
import { ReadingSettings } from './reading-settings.tsx';

const Toggle = ({ isOn, ...rest }: ComponentProps<typeof IconButton> & { isOn: boolean }) => (
  <IconButton aria-pressed={isOn} className={cn(isOn && 'bg-accent-soft text-accent-text')} {...rest} />
);

const drills = [
  ['loop', Repeat1],
  ['ladder', Snail],
  ['pause', CirclePause],
] as const;

/** What can be done with the sentences of the text (PLAY-08): go by them, say them again, read what they mean. */
export function ReadingTools({ hasTranslation }: { hasTranslation: boolean }) {
  const t = useT();
  const drill = usePlayer(({ practice }) => practice?.mode);
  const isTranslated = useReadingPreferences((reading) => reading.hasTranslation);
  return (
    <div
      role="toolbar"
      aria-label={t('reading.tools')}
      // Into the player's edges, so that all of it is one row for a finger at 320 px.
      className="relative -mx-3.5 flex flex-wrap justify-center justify-self-center"
    >
      <IconButton label={t('reading.previous')} onClick={() => dispatch({ type: 'stepSentence', way: -1 })}>
        <ChevronFirst />
      </IconButton>
      {drills.map(([name, Icon]) => (
        <Toggle
          key={name}
          label={t(`reading.${name}`)}
          isOn={drill === name}
          onClick={() => dispatch({ type: 'togglePractice', drill: name })}
        >
          <Icon />
        </Toggle>
      ))}
      <IconButton label={t('reading.next')} onClick={() => dispatch({ type: 'stepSentence', way: 1 })}>
        <ChevronLast />
      </IconButton>
      {hasTranslation && (
        <Toggle
          label={t('reading.translation')}
          isOn={isTranslated}
          onClick={() => useReadingPreferences.setState({ hasTranslation: !isTranslated })}
        >
          <Languages />
        </Toggle>
      )}
      <Disclosure label={t('reading.settings')} icon={<ALargeSmall />} className="w-64">
        {() => <ReadingSettings />}
      </Disclosure>
    </div>
  );
}
