import type { Track } from '@escucho/contracts';
import { useQuery } from '@tanstack/react-query';
import type { ComponentType, ReactNode } from 'react';
import { ApiError } from '#shared/api/client.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { HeaderSkeleton, Skeleton } from '#shared/ui/skeleton.tsx';
import { QueryError } from '#shared/ui/states.tsx';
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
  const query = useQuery(articleQuery(id));
  const { data, error, isPaused } = query;
  if (data) return <ArticlePage read={data} Tools={Tools} />;
  if (error instanceof ApiError && error.status === 404) return missing;
  if (error || isPaused) return <QueryError query={query} />;
  return (
    <div role="status">
      <span className="sr-only">{t('common.loading')}</span>
      <HeaderSkeleton />
      <div className="mt-8 grid max-w-[38rem] gap-4">
        {['a', 'b', 'c', 'd', 'e'].map((name) => (
          <Skeleton key={name} className="h-5" />
        ))}
      </div>
    </div>
  );
}
