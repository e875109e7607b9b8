import { LockKeyhole, Pause, Play } from 'lucide-react';
import { cn } from './cn.ts';

const icons = { play: Play, pause: Pause, lock: LockKeyhole } as const;

/** A row's cover, which shows what a press does: always where that is not playing, else under the pointer. In: the picture's address. */
export function RowCover({ src, does }: { src: string; does: keyof typeof icons }) {
  const Icon = icons[does];
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
        className={cn(
          'absolute inset-0 grid place-items-center bg-veil text-accent',
          does === 'play' && 'opacity-0 group-focus-within:opacity-100 group-hover:opacity-100',
        )}
      >
        <Icon className="size-5" fill={does === 'lock' ? 'none' : 'currentColor'} />
      </span>
    </>
  );
}
