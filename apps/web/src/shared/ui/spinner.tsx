import { cn } from './cn.ts';

/** A decorative spinner beside a text that names the activity. */
export const Spinner = ({ className }: { className?: string | undefined }) => (
  <span
    aria-hidden
    className={cn(
      'size-4 shrink-0 animate-spin rounded-full border-2 border-current border-r-transparent',
      className,
    )}
  />
);
