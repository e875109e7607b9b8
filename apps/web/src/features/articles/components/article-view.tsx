import type { Track } from '@escucho/contracts';
import { useQuery } from '@tanstack/react-query';
import type { ComponentType, ReactNode } from 'react';
import { ApiError, errorKey } from '../../../shared/api/client.ts';
import { useT } from '../../../shared/i18n/i18n.ts';
import { Skeleton } from '../../../shared/ui/skeleton.tsx';
import { ErrorState } from '../../../shared/ui/states.tsx';
import { articleQuery } from '../queries.ts';
import { ArticlePage } from './article-page.tsx';

interface Props {
  id: string;
  /** What is shown when there is none. */
  missing: ReactNode;
  Tools: ComponentType<{ track: Track }>;
}

/** One article on its own page, or why it is not there (CAT-04). */
export function ArticleView({ id, missing, Tools }: Props) {
  const t = useT();
  const { data, error, isPaused, refetch } = useQuery(articleQuery(id));
  if (data) return <ArticlePage read={data} Tools={Tools} />;
  if (error instanceof ApiError && error.status === 404) return missing;
  if (error || isPaused)
    return (
      <ErrorState text={t(isPaused ? 'common.network' : errorKey(error))} onRetry={() => void refetch()} />
    );
  return (
    <div role="status">
      <span className="sr-only">{t('common.loading')}</span>
      <div className="flex flex-col gap-5 sm:flex-row sm:items-end sm:gap-7">
        <Skeleton className="size-40 rounded-lg sm:size-52" />
        <div>
          <Skeleton className="h-10 w-64 max-w-full" />
          <Skeleton className="mt-3 h-5 w-40" />
          <Skeleton className="mt-5 h-11 w-52 rounded-full" />
        </div>
      </div>
      <div className="mt-8 grid max-w-[38rem] gap-4">
        {['a', 'b', 'c', 'd', 'e'].map((name) => (
          <Skeleton key={name} className="h-5" />
        ))}
      </div>
    </div>
  );
}
