import { cn } from '#shared/ui/cn.ts';

/** How much was heard, 0 to 1, on a ground given by `className`; nothing is drawn for nothing. */
export const ProgressLine = ({ share, className }: { share: number; className: string }) =>
  share > 0 ? (
    <span aria-hidden className={cn('block h-1 overflow-hidden', className)}>
      <span className="block h-full origin-left bg-accent" style={{ transform: `scaleX(${share})` }} />
    </span>
  ) : null;
