import type { ReactNode } from 'react';
import { getErrorKey } from '../api/client.ts';
import { useT } from '../i18n/i18n.ts';
import { Button } from './button.tsx';

const bars = [10, 22, 38, 58, 30, 46, 72, 50, 26, 40, 60, 34, 18, 28, 12];

/** A small drawing for empty and broken states: a spoken line, or one with its middle missing. */
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
  illustration: ReactNode;
  title: string;
  text?: string;
  action?: ReactNode;
}

/** Nothing here yet: a picture, one sentence and one action (CAT-09). */
export const EmptyState = ({ illustration: picture, title, text, action }: EmptyProps) => (
  <div className="mx-auto grid max-w-md justify-items-center gap-3 py-12 text-center">
    <div className="mb-2 text-accent-text">{picture}</div>
    <h2 className="font-serif text-lg font-semibold text-balance">{title}</h2>
    {text && <p className="text-muted text-pretty">{text}</p>}
    {action && <div className="mt-3">{action}</div>}
  </div>
);

/** It did not load: what happened and what to do (CAT-09). `text` may say more than the general words. */
export function ErrorState({ onRetry, title, text }: { onRetry: () => void; title?: string; text?: string }) {
  const t = useT();
  return (
    <div role="alert">
      <EmptyState
        illustration={<WaveformIllustration broken />}
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

/** What must be known of a query that failed, or waits for the network. */
interface Failing {
  error: unknown;
  isPaused: boolean;
  refetch: () => unknown;
}

/** A query's answer did not come: why, and a try again (CAT-09). */
export function QueryError({ query, title }: { query: Failing; title?: string }) {
  const t = useT();
  return (
    <ErrorState
      {...(title && { title })}
      text={t(query.isPaused ? 'common.network' : getErrorKey(query.error))}
      onRetry={() => void query.refetch()}
    />
  );
}
