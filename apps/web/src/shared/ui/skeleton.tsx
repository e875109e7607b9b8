import type { ReactNode } from 'react';
import { useT } from '../i18n/i18n.ts';
import { cn } from './cn.ts';

/** A placeholder for content that is loading; `className` sets its size. */
export const Skeleton = ({ className }: { className?: string }) => (
  <div aria-hidden className={cn('skeleton rounded-md', className)} />
);

/** The skeleton of a page header: a cover, a title, a line and a button. */
export const HeaderSkeleton = () => (
  <div className="flex flex-col gap-5 sm:flex-row sm:items-end sm:gap-7">
    <Skeleton className="size-40 rounded-lg sm:size-52" />
    <div>
      <Skeleton className="h-10 w-64 max-w-full" />
      <Skeleton className="mt-3 h-5 w-40" />
      <Skeleton className="mt-5 h-11 w-52 rounded-full" />
    </div>
  </div>
);

/** The placeholders of content that is loading, with a text for screen readers. */
export function LoadingStatus({ className, children }: { className?: string; children: ReactNode }) {
  const t = useT();
  return (
    <div role="status" className={className}>
      <span className="sr-only">{t('common.loading')}</span>
      {children}
    </div>
  );
}
