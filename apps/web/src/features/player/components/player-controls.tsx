import { limits } from '@escucho/contracts';
import { clsx } from 'clsx';
import {
  Gauge,
  Pause,
  Play,
  RotateCcw,
  RotateCw,
  SkipBack,
  SkipForward,
  Timer,
  TriangleAlert,
  Volume1,
  Volume2,
  VolumeX,
} from 'lucide-react';
import { useId } from 'react';
import { useFormat, useT } from '#shared/i18n/i18n.ts';
import { IconButton } from '#shared/ui/button.tsx';
import { Disclosure } from '#shared/ui/disclosure.tsx';
import { Slider } from '#shared/ui/slider.tsx';
import { dispatch, usePlayback, usePlayer } from '../engine/store.ts';
import type { Sleep } from '../model/state.ts';

const { skipSeconds } = limits.player;

/** The play or pause button, with a spinner while audio is loading. */
export function PlayButton({ className }: { className?: string }) {
  const t = useT();
  const hasTrack = usePlayer(({ activeTrack }) => activeTrack !== null);
  const isPlaying = usePlayer((player) => player.isPlaying);
  const isWaiting = usePlayer(({ isPlaying, phase }) => isPlaying && phase !== 'playing');
  const Icon = isPlaying ? Pause : Play;
  return (
    <button
      type="button"
      aria-label={t(isPlaying ? 'player.pause' : 'player.play')}
      disabled={!hasTrack}
      onClick={() => dispatch({ type: 'toggle' })}
      className={clsx(
        'relative grid shrink-0 place-items-center rounded-full bg-accent text-on-accent transition hover:bg-accent-strong active:scale-94 disabled:bg-overlay disabled:text-muted',
        className,
      )}
    >
      <Icon
        aria-hidden
        className={clsx('size-2/5', !isPlaying && 'translate-x-[8%]')}
        fill="currentColor"
        strokeWidth={1}
      />
      {isWaiting && (
        <span
          aria-hidden
          className="absolute -inset-1 animate-spin rounded-full border-2 border-accent border-r-transparent [animation-delay:400ms] motion-reduce:animate-pulse"
        />
      )}
    </button>
  );
}

/** Skips back or forward by 15 seconds. */
export function SkipButton({ direction, className }: { direction: 'back' | 'forward'; className?: string }) {
  const t = useT();
  const hasTrack = usePlayer(({ activeTrack }) => activeTrack !== null);
  const seconds = direction === 'back' ? -skipSeconds : skipSeconds;
  return (
    <IconButton
      label={t(`player.${direction}`, { n: skipSeconds })}
      disabled={!hasTrack}
      onClick={() => dispatch({ type: 'skipBy', seconds })}
      className={clsx('[&_svg]:size-6', className)}
    >
      <span aria-hidden className="relative grid place-items-center">
        {direction === 'back' ? <RotateCcw strokeWidth={1.5} /> : <RotateCw strokeWidth={1.5} />}
        <span className="absolute text-[0.5rem] font-bold tabular-nums">{skipSeconds}</span>
      </span>
    </IconButton>
  );
}

/** Goes to the previous or next track. */
export function StepButton({ direction, className }: { direction: 'previous' | 'next'; className?: string }) {
  const t = useT();
  const hasTrack = usePlayer(({ activeTrack }) => activeTrack !== null);
  const step = () =>
    dispatch(direction === 'previous' ? { type: 'previous' } : { type: 'next', removeFromContinue: true });
  return (
    <IconButton label={t(`player.${direction}`)} disabled={!hasTrack} onClick={step} className={className}>
      {direction === 'previous' ? <SkipBack fill="currentColor" /> : <SkipForward fill="currentColor" />}
    </IconButton>
  );
}

/** The transport controls of the full player. */
export function Transport() {
  const side = 'size-12! [&_svg]:size-7!';
  return (
    <div className="mx-auto flex w-full max-w-sm items-center justify-between">
      <StepButton direction="previous" className={side} />
      <SkipButton direction="back" className={side} />
      <PlayButton className="size-16 sm:size-18" />
      <SkipButton direction="forward" className={side} />
      <StepButton direction="next" className={side} />
    </div>
  );
}

const speeds = [0.5, 0.7, 0.85, 1, 1.25, 1.5, 1.75, 2];

/** A button that cycles the speed 1, 1.5, 2, then 1 (PLAY-06), and one that opens a menu of more speeds. */
export function SpeedControl() {
  const t = useT();
  const format = useFormat();
  const speed = usePlayer((player) => player.speed);
  return (
    <div className="flex">
      <IconButton
        label={t('player.speed', { speed: format.number(speed) })}
        onClick={() => dispatch({ type: 'cycleSpeed' })}
        className={clsx('text-sm font-semibold tabular-nums', speed !== 1 && 'text-accent-text')}
      >
        {format.number(speed)}×
      </IconButton>
      <Disclosure label={t('player.speeds')} icon={<Gauge />} className="w-max min-w-36 p-1.5">
        {(close) => (
          <RadioMenu
            label={t('player.speeds')}
            choices={speeds.map((value) => ({ value, text: `${format.number(value)}×` }))}
            selected={speed}
            onSelect={(value) => dispatch({ type: 'setSpeed', speed: value })}
            close={close}
          />
        )}
      </Disclosure>
    </div>
  );
}

interface RadioMenuProps<Value> {
  label: string;
  choices: readonly { value: Value; text: string }[];
  selected: Value;
  onSelect: (value: Value) => void;
  close: () => void;
}

/** The choices of a popup. A click selects and closes it; arrow keys only select. */
function RadioMenu<Value extends string | number | null>(props: RadioMenuProps<Value>) {
  const { label, choices, selected, onSelect, close } = props;
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label}>
      {choices.map(({ value, text }) => (
        <label key={value} className="popup-item cursor-pointer hover:bg-hover">
          <input
            type="radio"
            name={name}
            checked={value === selected}
            onChange={() => onSelect(value)}
            onClick={({ detail }) => {
              // It changes nothing, but the sleep timer starts again.
              if (value === selected) onSelect(value);
              if (detail > 0) close();
            }}
            style={{ accentColor: 'var(--accent)' }}
            className="size-4"
          />
          {text}
        </label>
      ))}
    </div>
  );
}

/** The volume slider from 1 to 100, in a popup (PLAY-06). */
export function VolumeControl() {
  const t = useT();
  const isMuted = usePlayer((player) => player.muted);
  const percent = usePlayer(({ volume }) => Math.round(volume * 100));
  const Icon = isMuted ? VolumeX : percent < 50 ? Volume1 : Volume2;
  return (
    <Disclosure label={t('player.volume')} icon={<Icon />} className="w-52">
      {() => (
        <div className="flex items-center gap-3 px-4 py-3">
          <Slider
            label={t('player.volume')}
            value={isMuted ? 1 : percent}
            min={1}
            max={100}
            onChange={(value) => dispatch({ type: 'setVolume', volume: value / 100 })}
            text={(value) => t('player.percent', { n: isMuted ? 0 : value })}
            className="flex-1"
          />
          <span aria-hidden className="w-[4ch] text-right text-xs text-muted tabular-nums">
            {isMuted ? 0 : percent}
          </span>
        </div>
      )}
    </Disclosure>
  );
}

const minutes = [5, 10, 15, 30, 45, 60];

/** The sleep timer (PLAY-07): minutes, or the end of the track. */
export function SleepControl() {
  const t = useT();
  const format = useFormat();
  // In whole minutes, so that it does not render each second.
  const left = usePlayback(({ sleep }) => (typeof sleep === 'number' ? Math.ceil(sleep / 60) : null));
  const isTrack = usePlayback(({ sleep }) => sleep === 'track');
  const time = format.duration((left ?? 0) * 60);
  const label =
    left !== null
      ? t.count('tools.sleepOn', Number.parseInt(time, 10), { left: time })
      : t(isTrack ? 'tools.sleepTrackOn' : 'tools.sleep');
  const choices: { value: Sleep; text: string }[] = [
    { value: null, text: t('tools.sleepOff') },
    ...minutes.map((n) => ({ value: n * 60, text: format.duration(n * 60) })),
    { value: 'track', text: t('tools.sleepTrack') },
  ];
  const icon =
    left === null ? (
      <Timer />
    ) : (
      <span aria-hidden className="text-sm font-semibold tabular-nums">
        {left}′
      </span>
    );
  return (
    <Disclosure label={label} icon={icon} isOn={left !== null || isTrack} className="p-1.5 w-52">
      {(close) => (
        <RadioMenu
          label={t('tools.sleep')}
          choices={choices}
          selected={isTrack ? 'track' : left && left * 60}
          onSelect={(sleep) => dispatch({ type: 'setSleep', sleep })}
          close={close}
        />
      )}
    </Disclosure>
  );
}

/** Announces the player's state to screen readers. The page and each modal have their own, because a modal makes the page inert. */
export function PlayerAnnouncement() {
  const t = useT();
  const title = usePlayer(({ activeTrack }) => activeTrack?.title ?? '');
  const phase = usePlayer((player) => player.phase);
  const text =
    // Each seek buffers for a moment, and so does each repetition of a sentence: they announce nothing.
    phase === 'playing' || phase === 'buffering'
      ? t('player.sayPlaying', { title })
      : phase === 'paused'
        ? t('player.sayPaused')
        : phase === 'loading'
          ? t('player.sayLoading', { title })
          : '';
  return (
    <p role="status" className="sr-only">
      {text}
    </p>
  );
}

/** The error with a retry button (PLAY-06). */
export function PlayerErrorMessage({ className }: { className?: string }) {
  const t = useT();
  const error = usePlayer((player) => player.error);
  if (!error) return null;
  return (
    <div role="alert" className={clsx('flex items-center justify-center gap-3 text-xs', className)}>
      <TriangleAlert aria-hidden className="size-4 shrink-0 text-danger" />
      <span className="min-w-0 truncate">{t(`player.failed_${error}`)}</span>
      <button
        type="button"
        onClick={() => dispatch({ type: 'play' })}
        className="flex min-h-8 shrink-0 items-center gap-1.5 rounded-full bg-overlay px-3 font-semibold transition hover:bg-hover active:scale-97 pointer-coarse:min-h-11"
      >
        <RotateCw aria-hidden className="size-3.5" />
        {t('common.retry')}
      </button>
    </div>
  );
}
