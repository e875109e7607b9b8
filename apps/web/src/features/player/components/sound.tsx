import { Volume1, Volume2, VolumeX } from 'lucide-react';
import { useT } from '#shared/i18n/i18n.ts';
import { cn } from '#shared/ui/cn.ts';
import { Disclosure } from '#shared/ui/disclosure.tsx';
import { IconButton } from '#shared/ui/icon-button.tsx';
import { Slider } from '#shared/ui/slider.tsx';
import { dispatch } from '../engine/events.ts';
import { usePlayer } from '../engine/store.ts';

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
            text={(value) => t('player.volumeText', { n: value })}
            className="flex-1"
          />
          <span aria-hidden className="w-8 text-right text-xs text-muted tabular-nums">
            {isMuted ? 0 : percent}
          </span>
        </div>
      )}
    </Disclosure>
  );
}
