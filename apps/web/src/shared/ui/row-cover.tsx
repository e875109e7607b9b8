import { LockKeyhole, Pause, Play } from 'lucide-react';
import { cn } from './cn.ts';

const icons = { play: Play, pause: Pause, lock: LockKeyhole } as const;

/** A row's cover with the icon of its action: always visible for pause and locked, for play on hover and focus. */
export function RowCover({ src, action }: { src: string; action: keyof typeof icons }) {
  const Icon = icons[action];
  return (
    <>
      <img
        src={src}
        alt=""
        width={64}
        height={64}
        loading="lazy"
        decoding="async"
        className="size-full bg-overlay object-cover"
      />
      <span
        aria-hidden
        // Covers are behind it, not the page: what is readable on them is the same in both themes.
        data-theme="dark"
        className={cn(
          'absolute inset-0 grid place-items-center bg-veil text-accent',
          action === 'play' && 'opacity-0 group-focus-within:opacity-100 group-hover:opacity-100',
        )}
      >
        <Icon className="size-5" fill={action === 'lock' ? 'none' : 'currentColor'} />
      </span>
    </>
  );
}
