import type { UseQueryResult } from '@tanstack/react-query';
import { useT } from '#shared/i18n/i18n.ts';
import { Skeleton } from '#shared/ui/skeleton.tsx';
import { InlineError } from '#shared/ui/states.tsx';

interface Props {
  query: Pick<UseQueryResult, 'data' | 'isError' | 'isPaused' | 'refetch'>;
  /** What to say when it fails, instead of the general text. */
  error?: string;
}

/** The loading state and the error of a query in a section of the security settings; nothing once it has data. */
export function QueryState({ query, error }: Props) {
  const t = useT();
  if (query.data !== undefined) return null;
  if (query.isError || query.isPaused)
    return (
      <InlineError
        text={error ?? t('security.failed')}
        onRetry={() => void query.refetch()}
        className="flex flex-wrap items-center justify-between gap-4 py-4 text-muted"
      />
    );
  return (
    <div role="status" className="grid gap-3 py-5">
      <span className="sr-only">{t('common.loading')}</span>
      <Skeleton className="h-5 w-48" />
      <Skeleton className="h-5 w-64 max-w-full" />
    </div>
  );
}
