import { LockKeyhole, Pause, Play } from 'lucide-react';
import type { ComponentProps } from 'react';
import { cn } from './cn.ts';

/** A decorative picture; `size` is its width and height in pixels. */
export const Cover = ({ size, className, ...image }: ComponentProps<'img'> & { size: number }) => (
  <img
    alt=""
    width={size}
    height={size}
    decoding="async"
    {...image}
    // Only a picture that did not load has an `::after`, which covers the browser's icon for broken pictures.
    className={cn(
      'relative bg-overlay object-cover after:absolute after:inset-0 after:rounded-[inherit] after:bg-overlay',
      className,
    )}
  />
);

/** The icons of what a press on a track does. */
export const actionIcons = { play: Play, pause: Pause, lock: LockKeyhole } as const;
