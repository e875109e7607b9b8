import { useT } from '#shared/i18n/i18n.ts';
import { Skeleton } from '#shared/ui/skeleton.tsx';

/** Rows that are on their way. */
export function RowsSkeleton() {
  const t = useT();
  return (
    <div role="status" className="grid gap-4">
      <span className="sr-only">{t('common.loading')}</span>
      {['a', 'b', 'c', 'd', 'e', 'f'].map((name) => (
        <Skeleton key={name} className="h-12 sm:h-16" />
      ))}
    </div>
  );
}
