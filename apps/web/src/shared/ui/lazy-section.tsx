import type { ReactNode } from 'react';
import { useT } from '../i18n/i18n.ts';
import { LazyBoundary } from './lazy-boundary.tsx';
import { ErrorState } from './states.tsx';

interface Props {
  /** Rendered while the children load. */
  fallback?: ReactNode;
  children: ReactNode;
}

function LoadError({ onRetry }: { onRetry: () => void }) {
  const t = useT();
  return <ErrorState onRetry={onRetry} {...(!navigator.onLine && { text: t('common.network') })} />;
}

/** A part of a page whose code is loaded with it: where that fails, an error with a retry replaces the part (CAT-09). */
export const LazySection = ({ fallback, children }: Props) => (
  <LazyBoundary fallback={fallback} renderError={(retry) => <LoadError onRetry={retry} />}>
    {children}
  </LazyBoundary>
);
