import type { ComponentProps } from 'react';
import { cn } from './cn.ts';

interface Props extends ComponentProps<'button'> {
  /** The accessible name and tooltip. */
  label: string;
}

/** A round button with an icon only: 44 px on touch screens, 40 px with a mouse. */
export function IconButton({ label, className, ...rest }: Props) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={cn(
        'grid size-11 shrink-0 place-items-center rounded-full text-muted transition hover:bg-hover hover:text-ink active:scale-94 disabled:pointer-events-none disabled:opacity-40 pointer-fine:size-10 [&_svg]:size-5',
        className,
      )}
    />
  );
}
