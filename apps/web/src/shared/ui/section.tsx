import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { useT } from '../i18n/i18n.ts';
import { InlineQueryFallback, LoadingStatus, Skeleton } from './states.tsx';

interface SectionProps {
  title: string;
  text?: string;
  children: ReactNode;
}

/** A section of the settings. */
export function Section({ title, text, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mt-6 rounded-lg border border-line bg-surface p-5">
      <h2 id={id} className="heading text-lg">
        {title}
      </h2>
      {text && <p className="mt-1 text-sm text-muted text-pretty">{text}</p>}
      <div className="mt-2 -mb-3 divide-y divide-line">{children}</div>
    </section>
  );
}

interface SectionRowProps {
  title?: ReactNode;
  text?: ReactNode;
  /** The row's actions. */
  children?: ReactNode;
}

/** A row of a section: a title and a text, and its controls beside them. */
export const SectionRow = ({ title, text, children }: SectionRowProps) => (
  <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-4">
    <div className="min-w-0 flex-1 basis-56 wrap-anywhere">
      {title && <p className="font-medium">{title}</p>}
      {text && <p className="text-sm text-muted text-pretty">{text}</p>}
    </div>
    {children}
  </div>
);

interface QueryStateProps {
  query: Pick<UseQueryResult, 'data' | 'error' | 'isPaused' | 'refetch'>;
  /** What to say when it fails, instead of the security settings' text. */
  error?: string;
  /** The height of what it loads. */
  skeleton?: string;
}

/** The loading state and the error of a query in a section; nothing once it has data. */
export function QueryState({ query, error, skeleton = 'h-13' }: QueryStateProps) {
  const t = useT();
  if (query.data !== undefined) return null;
  return (
    <InlineQueryFallback
      query={query}
      text={error ?? t('security.failed')}
      className="flex flex-wrap items-center justify-between gap-4 py-4 text-muted"
      loading={
        <LoadingStatus className="py-4">
          <Skeleton className={skeleton} />
        </LoadingStatus>
      }
    />
  );
}
