import { type ComponentProps, type ReactNode, useId } from 'react';
import { cn } from './cn.ts';

interface Props extends ComponentProps<'input'> {
  label: string;
  /** Shown under the field and announced. */
  error?: string | undefined;
  /** Secondary text under the field. */
  hint?: ReactNode;
  /** Rendered inside the field at its end, e.g. a button that shows the password. */
  end?: ReactNode;
}

/** A labelled input with its error. */
export function Field({ label, error, hint, end, className, ...input }: Props) {
  const id = useId();
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div className={cn('grid gap-1.5', className)}>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <div className="relative">
        <input
          id={id}
          aria-invalid={Boolean(error)}
          aria-describedby={describedBy || undefined}
          {...input}
          className={cn('field', end && 'pr-12')}
        />
        {end && <div className="absolute inset-y-0 right-1 grid place-items-center">{end}</div>}
      </div>
      {hint && (
        <div id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </div>
      )}
      <p id={`${id}-error`} role="alert" className="text-sm text-danger empty:hidden">
        {error}
      </p>
    </div>
  );
}
