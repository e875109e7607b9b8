import { LockKeyhole, Pause, Play } from 'lucide-react';
import { cn } from '#shared/ui/cn.ts';

const icons = { play: Play, pause: Pause, lock: LockKeyhole } as const;

/** The round icon on a cover that shows what a press does; highlighted under the pointer and while playing. */
export function PlayBadge({ action, className }: { action: keyof typeof icons; className?: string }) {
  const Icon = icons[action];
  return (
    <span
      aria-hidden
      className={cn(
        'grid size-10 place-items-center rounded-full shadow-pop transition',
        action === 'pause'
          ? 'bg-accent text-on-accent'
          : 'bg-surface/85 text-ink group-hover:bg-accent group-hover:text-on-accent',
        className,
      )}
    >
      <Icon
        className="size-4"
        fill={action === 'lock' ? 'none' : 'currentColor'}
        strokeWidth={action === 'lock' ? 2 : 1}
      />
    </span>
  );
}

/** A progress bar for a ratio from 0 to 1 on the background of `className`; nothing for 0. */
export const ProgressBar = ({ ratio, className }: { ratio: number; className: string }) =>
  ratio > 0 ? (
    <span aria-hidden className={cn('block h-1 overflow-hidden', className)}>
      <span className="block h-full origin-left bg-accent" style={{ transform: `scaleX(${ratio})` }} />
    </span>
  ) : null;
