import { cn } from '#shared/ui/cn.ts';
import { usePlayer } from '../engine/store.ts';
import './equalizer.css';

const delays = ['0ms', '-420ms', '-210ms', '-630ms'];

/** Four bars that dance while sound comes and rest while it does not. */
export function Equalizer({ className }: { className?: string }) {
  const isSounding = usePlayer(({ phase }) => phase === 'playing');
  return (
    <span aria-hidden className={cn('flex h-4 items-end gap-0.5', className)}>
      {delays.map((delay) => (
        <span
          key={delay}
          className={cn(
            'h-full w-0.75 origin-bottom rounded-full bg-current',
            isSounding ? 'equalizer-bar' : 'scale-y-30',
          )}
          style={{ animationDelay: delay }}
        />
      ))}
    </span>
  );
}
