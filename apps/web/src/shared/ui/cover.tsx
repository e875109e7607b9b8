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
    className={cn('bg-overlay object-cover', className)}
  />
);

/** The icons of what a press on a track does. */
export const actionIcons = { play: Play, pause: Pause, lock: LockKeyhole } as const;
