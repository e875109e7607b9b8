import { useQuery } from '@tanstack/react-query';
import { useT } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { cn } from '#shared/ui/cn.ts';
import { Skeleton } from '#shared/ui/skeleton.tsx';
import { articleQuery } from '../queries.ts';
import { ReadAlong } from './read-along.tsx';

const lines = ['w-full', 'w-11/12', 'w-[96%]', 'w-4/5', 'w-[92%]', 'w-2/3'];

/** The text of what is heard, or why there is none. */
export function HeardText({ id }: { id: string }) {
  const t = useT();
  const { data, isError, isPaused, refetch } = useQuery(articleQuery(id));
  if (data && data.sentences.length > 0)
    return (
      <>
        {data.estimated && (
          <p className="mx-auto mb-4 max-w-[38rem] text-sm text-muted">{t('reading.estimated')}</p>
        )}
        <ReadAlong key={id} article={data} />
      </>
    );
  if (data) return <p className="text-center text-muted">{t('reading.none')}</p>;
  if (isError || isPaused)
    return (
      <div role="alert" className="grid justify-items-center gap-4 text-center text-muted">
        {t('reading.failed')}
        <Button onClick={() => void refetch()}>{t('common.retry')}</Button>
      </div>
    );
  return (
    <div role="status" className="mx-auto grid max-w-[38rem] gap-4">
      <span className="sr-only">{t('common.loading')}</span>
      {lines.map((width) => (
        <Skeleton key={width} className={cn('h-5', width)} />
      ))}
    </div>
  );
}
