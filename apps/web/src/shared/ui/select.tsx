import { clsx } from 'clsx';
import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';

/** A select with an arrow of the app's icons; `className` sets its shape and colours. */
export const Select = ({ className, ...select }: ComponentProps<'select'>) => (
  <span className="relative inline-grid max-w-full">
    <select
      {...select}
      className={clsx('max-w-full cursor-pointer appearance-none truncate pr-10', className)}
    />
    <ChevronDown
      aria-hidden
      className="pointer-events-none absolute top-1/2 right-4 size-4 -translate-y-1/2 text-muted"
    />
  </span>
);
