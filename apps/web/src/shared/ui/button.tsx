import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';

const variants = {
  solid: 'bg-accent text-on-accent font-semibold hover:bg-accent-strong',
  soft: 'border border-line bg-overlay text-ink font-medium hover:bg-hover',
  danger: 'bg-danger text-ground font-semibold hover:opacity-90',
  softDanger: 'border border-line bg-overlay text-danger font-medium hover:bg-hover',
  ghost: 'text-muted font-medium hover:bg-hover hover:text-ink',
} as const;

interface ButtonProps extends ComponentProps<'button'> {
  /** `solid`: the one primary action of a screen. */
  variant?: keyof typeof variants;
  /** Shows a spinner and ignores presses. */
  busy?: boolean;
}

/** Returns the class names of a button, for links that look like one. A padding of `className` replaces the button's. */
export const buttonClassName = (variant: keyof typeof variants, className?: string) =>
  clsx(
    'inline-flex min-h-11 items-center justify-center gap-2 rounded-full py-2 text-center text-sm [:where(&)]:px-6 transition active:scale-98 disabled:pointer-events-none disabled:opacity-50',
    variants[variant],
    className,
  );

/** A decorative spinner beside a text that names the activity. */
export const Spinner = ({ className }: { className?: string | undefined }) => (
  <span
    aria-hidden
    className={clsx(
      'size-4 shrink-0 animate-spin rounded-full border-2 border-current border-r-transparent',
      className,
    )}
  />
);

/** What is being done, with a spinner, for a page that waits for it. */
export const WorkingStatus = ({ children }: { children: ReactNode }) => (
  <p role="status" className="flex items-center gap-3 text-muted">
    <Spinner className="size-5 text-accent-text" />
    {children}
  </p>
);

/** A button. While `busy` it keeps the focus and ignores clicks. */
export function Button({
  variant = 'soft',
  busy = false,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      {...rest}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      className={buttonClassName(variant, className)}
    >
      {busy && <Spinner className="-ml-1" />}
      {children}
    </button>
  );
}

interface IconButtonProps extends ComponentProps<'button'> {
  /** The accessible name and tooltip. */
  label: string;
}

/**
 * A round button with an icon only: 44 px on touch screens, 40 px with a mouse. One that its own presses disable gets
 * `aria-disabled`, with which it keeps the focus.
 */
export function IconButton({ label, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={clsx(
        'grid size-11 shrink-0 place-items-center rounded-full text-muted transition hover:bg-hover hover:text-ink active:scale-94 disabled:pointer-events-none disabled:opacity-40 aria-disabled:pointer-events-none aria-disabled:opacity-40 pointer-fine:size-10 [&_svg]:size-5',
        className,
      )}
    />
  );
}
