import type { ReactNode } from 'react';
import { errorKey } from '../api/client.ts';
import { useT } from '../i18n/i18n.ts';
import { Button } from './button.tsx';
import { EchoPicture } from './pictures.tsx';

interface EmptyProps {
  picture: ReactNode;
  title: string;
  text?: string;
  action?: ReactNode;
}

/** Nothing here yet: a picture, one sentence and one action (CAT-09). */
export const EmptyState = ({ picture, title, text, action }: EmptyProps) => (
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
        picture={<EchoPicture broken />}
        title={title ?? t('common.failedTitle')}
        text={text ?? t('common.failedText')}
        action={
          <Button look="solid" onClick={onRetry}>
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
export function QueryFailed({ query, title }: { query: Failing; title?: string }) {
  const t = useT();
  return (
    <ErrorState
      {...(title && { title })}
      text={t(query.isPaused ? 'common.network' : errorKey(query.error))}
      onRetry={() => void query.refetch()}
    />
  );
}
