import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { getErrorKey, isMissing } from '../api/client.ts';
import { useT } from '../i18n/i18n.ts';
import { Button } from './button.tsx';

/** A placeholder for content that is loading; `className` sets its size. */
export const Skeleton = ({ className }: { className?: string }) => (
  <div aria-hidden className={clsx('skeleton rounded-md', className)} />
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

interface LoadingListProps {
  count: number;
  itemClassName: string;
  className?: string;
}

/** The placeholder of a list that is loading. */
export const LoadingList = ({ count, itemClassName, className = 'grid gap-4' }: LoadingListProps) => (
  <LoadingStatus className={className}>
    {Array.from({ length: count }, (_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the placeholders never change
      <Skeleton key={index} className={itemClassName} />
    ))}
  </LoadingStatus>
);

const bars = [10, 22, 38, 58, 30, 46, 72, 50, 26, 40, 60, 34, 18, 28, 12];

/** The illustration of empty states and errors: a waveform, or one with a gap. */
export const WaveformIllustration = ({ broken = false }: { broken?: boolean }) => (
  <svg viewBox="0 0 180 80" width="180" height="80" aria-hidden="true" fill="currentColor">
    {bars.map((height, index) => (
      <rect
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars never change
        key={index}
        x={index * 12 + 3}
        y={broken && index > 5 && index < 9 ? 38 : 40 - height / 2}
        width="5"
        height={broken && index > 5 && index < 9 ? 4 : height}
        rx="2.5"
        opacity={broken && index > 5 && index < 9 ? 0.35 : 0.35 + (index % 4) * 0.2}
      />
    ))}
  </svg>
);

interface EmptyProps {
  /** Whether the waveform has a gap. */
  broken?: boolean;
  title: string;
  text?: string;
  action?: ReactNode;
}

/** An empty state: a waveform, a sentence and an action (CAT-09). */
export const EmptyState = ({ broken = false, title, text, action }: EmptyProps) => (
  <div className="mx-auto grid max-w-md justify-items-center gap-3 py-12 text-center">
    <div className="mb-2 text-accent-text">
      <WaveformIllustration broken={broken} />
    </div>
    <h2 className="font-serif text-lg font-semibold text-balance">{title}</h2>
    {text && <p className="text-muted text-pretty">{text}</p>}
    {action && <div className="mt-3">{action}</div>}
  </div>
);

interface ErrorProps {
  onRetry: () => void;
  title?: string | undefined;
  text?: string;
}

/** An error with a retry (CAT-09). */
export function ErrorState({ onRetry, title, text }: ErrorProps) {
  const t = useT();
  return (
    <div role="alert">
      <EmptyState
        broken
        title={title ?? t('common.failedTitle')}
        text={text ?? t('common.failedText')}
        action={
          <Button variant="solid" onClick={onRetry}>
            {t('common.retry')}
          </Button>
        }
      />
    </div>
  );
}

interface InlineErrorProps {
  text: string;
  onRetry: () => void;
  className?: string;
}

/** An error beside other content, with a retry button (CAT-09). `className` replaces the layout of a row. */
export function InlineError({ text, onRetry, className }: InlineErrorProps) {
  const t = useT();
  return (
    <div role="alert" className={className ?? 'flex flex-wrap items-center gap-4 text-muted'}>
      {text}
      <Button onClick={onRetry}>{t('common.retry')}</Button>
    </div>
  );
}

interface FailedQuery {
  error: unknown;
  isPaused: boolean;
  refetch: () => unknown;
}

interface InlineQueryFallbackProps extends Omit<InlineErrorProps, 'onRetry'> {
  query: FailedQuery;
  /** Shown while the query loads. */
  loading: ReactNode;
}

/** What is shown beside other content while a query has no data: a placeholder, or an error with a retry. */
export const InlineQueryFallback = ({ query, loading, ...error }: InlineQueryFallbackProps) =>
  query.error || query.isPaused ? <InlineError {...error} onRetry={() => void query.refetch()} /> : loading;

interface QueryFallbackProps {
  query: FailedQuery;
  title?: string;
  /** Shown where there is nothing by the id that is queried. */
  missing?: ReactNode;
  /** Shown while the query loads. */
  loading?: ReactNode;
}

/** What is shown while a query has no data: a placeholder, or why there is none, with a retry (CAT-09). */
export function QueryFallback({ query, title, missing, loading }: QueryFallbackProps) {
  const t = useT();
  if (missing && isMissing(query.error)) return missing;
  if (!query.error && !query.isPaused) return loading;
  return (
    <ErrorState
      title={title}
      text={t(query.isPaused ? 'common.network' : getErrorKey(query.error))}
      onRetry={() => void query.refetch()}
    />
  );
}
