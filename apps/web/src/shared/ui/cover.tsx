import { clsx } from 'clsx';
import { LockKeyhole, type LucideProps, Pause, Play } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Button } from './button.tsx';

/** A decorative picture; `size` is its width and height in pixels. */
export const Cover = ({ size, className, ...image }: ComponentProps<'img'> & { size: number }) => (
  <img
    alt=""
    width={size}
    height={size}
    decoding="async"
    {...image}
    // Only a picture that did not load has an `::after`, which covers the browser's icon for broken pictures.
    className={clsx(
      'relative bg-overlay object-cover after:absolute after:inset-0 after:rounded-[inherit] after:bg-overlay',
      className,
    )}
  />
);

/** The icons of what a press on a track does. */
export const actionIcons = { play: Play, pause: Pause, lock: LockKeyhole } as const;

interface ActionProps {
  action: keyof typeof actionIcons;
}

/** The filled icon of what a press on a track does. */
export function ActionIcon({ action, ...icon }: ActionProps & LucideProps) {
  const Icon = actionIcons[action];
  return <Icon aria-hidden fill={action === 'lock' ? 'none' : 'currentColor'} {...icon} />;
}

/** The primary button that plays a track, pauses it, or asks for a subscription. */
export const ActionButton = ({ action, children, ...button }: ActionProps & ComponentProps<'button'>) => (
  <Button variant="solid" {...button}>
    <ActionIcon action={action} className="size-4" />
    {children}
  </Button>
);

/** A row's cover with the icon of its action: always visible for pause and locked, for play on hover and focus. */
export const RowCover = ({ src, action }: ActionProps & { src: string }) => (
  <>
    <Cover src={src} size={64} loading="lazy" className="size-full" />
    <span
      aria-hidden
      // Covers are behind it, not the page: what is readable on them is the same in both themes.
      data-theme="dark"
      className={clsx(
        'absolute inset-0 grid place-items-center bg-veil text-accent',
        action === 'play' && 'opacity-0 group-focus-within:opacity-100 group-hover:opacity-100',
      )}
    >
      <ActionIcon action={action} className="size-5" />
    </span>
  </>
);
