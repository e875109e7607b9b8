import { LockKeyhole, Pause, Play } from 'lucide-react';
import { cn } from '#shared/ui/cn.ts';

const icons = { play: Play, pause: Pause, lock: LockKeyhole } as const;

/** The round mark on a cover that says what a press does: quiet on the artwork, warm under the pointer and while it plays. */
export function PlayMark({ does, className }: { does: keyof typeof icons; className?: string }) {
  const Icon = icons[does];
  return (
    <span
      aria-hidden
      className={cn(
        'grid size-10 place-items-center rounded-full shadow-pop transition',
        does === 'pause'
          ? 'bg-accent text-on-accent'
          : 'bg-surface/85 text-ink group-hover:bg-accent group-hover:text-on-accent',
        className,
      )}
    >
      <Icon
        className="size-4"
        fill={does === 'lock' ? 'none' : 'currentColor'}
        strokeWidth={does === 'lock' ? 2 : 1}
      />
    </span>
  );
}
