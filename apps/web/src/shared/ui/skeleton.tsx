import { cn } from './cn.ts';

/** A quiet block in the shape of what comes. Size and radius by className. */
export const Skeleton = ({ className }: { className?: string }) => (
  <div aria-hidden className={cn('skeleton rounded-md', className)} />
);
