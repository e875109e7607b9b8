import { Volume1, Volume2, VolumeX } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useT } from '../../../shared/i18n/i18n.ts';
import { cn } from '../../../shared/ui/cn.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { Slider } from '../../../shared/ui/slider.tsx';
import { dispatch } from '../dispatch.ts';
import { usePlayer } from '../store.ts';

/** PLAY-06: 1, 1.5, 2, then 1. */
export function SpeedButton({ className }: { className?: string }) {
  const t = useT();
  const speed = usePlayer((player) => player.speed);
  return (
    <IconButton
      label={t('player.speed', { speed })}
      onClick={() => dispatch({ type: 'cycleSpeed' })}
      className={cn('text-sm font-semibold tabular-nums', speed !== 1 && 'text-accent-text', className)}
    >
      {speed}×
    </IconButton>
  );
}

/** PLAY-06: a slider from 1 to 100, hidden until its button is pressed. */
export function VolumeControl() {
  const t = useT();
  const id = useId();
  const box = useRef<HTMLFieldSetElement>(null);
  const [isOpen, setOpen] = useState(false);
  const isMuted = usePlayer((player) => player.muted);
  const percent = usePlayer(({ volume }) => Math.round(volume * 100));

  useEffect(() => {
    if (!isOpen) return;
    const outside = ({ target }: PointerEvent) => {
      if (target instanceof Node && !box.current?.contains(target)) setOpen(false);
    };
    addEventListener('pointerdown', outside);
    return () => removeEventListener('pointerdown', outside);
  }, [isOpen]);

  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return;
    event.preventDefault();
    event.stopPropagation();
    setOpen(false);
    box.current?.querySelector('button')?.focus();
  };
  const Icon = isMuted ? VolumeX : percent < 50 ? Volume1 : Volume2;
  return (
    <fieldset ref={box} onKeyDown={closeOnEscape} className="relative">
      <IconButton
        label={t('player.volume')}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
        className={cn(isOpen && 'bg-hover text-ink')}
      >
        <Icon />
      </IconButton>
      <div
        id={id}
        hidden={!isOpen}
        className="popup absolute right-0 bottom-full z-30 mb-3 flex w-52 items-center gap-3 px-4 py-3 not-hidden:flex"
      >
        <Slider
          label={t('player.volume')}
          value={isMuted ? 1 : percent}
          min={1}
          max={100}
          onChange={(value) => dispatch({ type: 'setVolume', volume: value / 100 })}
          text={(value) => t('player.volumeText', { n: value })}
          className="flex-1"
        />
        <span aria-hidden className="w-8 text-right text-xs text-muted tabular-nums">
          {isMuted ? 0 : percent}
        </span>
      </div>
    </fieldset>
  );
}
