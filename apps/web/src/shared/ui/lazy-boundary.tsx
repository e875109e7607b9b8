import { Children, Component, type ReactNode, Suspense } from 'react';
import { getT, useT } from '../i18n/i18n.ts';
import { ErrorState } from './states.tsx';
import { toast } from './toast.tsx';

interface Props {
  /** Closes what the user has opened, so that it can be opened again. A toast says that it did not load. */
  onFailed?: (() => void) | undefined;
  /** Rendered while the children load, and where they did not. */
  fallback?: ReactNode;
  /** Renders what replaces the children where they did not load; by default, the fallback does. */
  renderError?: (retry: () => void) => ReactNode;
  /** Rendered again after a failure once there were none, or once the browser is online again. */
  children: ReactNode;
}

interface State {
  hasFailed: boolean;
}

/** Renders what is loaded when it is needed, such as a dialog or the tools of a row: where that fails, the page stays. */
export class LazyBoundary extends Component<Props, State> {
  override state: State = { hasFailed: false };

  static getDerivedStateFromError(): State {
    return { hasFailed: true };
  }

  static getDerivedStateFromProps({ children }: Props): State | null {
    return Children.toArray(children).length === 0 ? { hasFailed: false } : null;
  }

  private hasRetried = false;

  private readonly renderAgain = (): void => this.setState({ hasFailed: false });

  /** Chromium fetches failed code again only after a reload, other browsers by the first retry. */
  private readonly retry = (): void => {
    if (this.hasRetried && navigator.onLine) location.reload();
    this.hasRetried = true;
    this.renderAgain();
  };

  override componentWillUnmount(): void {
    removeEventListener('online', this.renderAgain);
  }

  override componentDidCatch(): void {
    addEventListener('online', this.renderAgain, { once: true });
    const { onFailed } = this.props;
    if (!onFailed) return;
    const t = getT();
    if (navigator.onLine)
      toast(t('common.failedTitle'), 'error', 'top-right', {
        label: t('shell.reload'),
        run: () => location.reload(),
      });
    else toast(t('common.network'), 'error');
    onFailed();
  }

  override render(): ReactNode {
    const { children, fallback = null, renderError = () => fallback } = this.props;
    if (this.state.hasFailed) return renderError(this.retry);
    return <Suspense fallback={fallback}>{children}</Suspense>;
  }
}

interface SectionProps {
  /** Rendered while the children load. */
  fallback?: ReactNode;
  children: ReactNode;
}

function LoadError({ onRetry }: { onRetry: () => void }) {
  const t = useT();
  return <ErrorState onRetry={onRetry} {...(!navigator.onLine && { text: t('common.network') })} />;
}

/** A part of a page whose code is loaded with it: where that fails, an error with a retry replaces the part (CAT-09). */
export const LazySection = ({ fallback, children }: SectionProps) => (
  <LazyBoundary fallback={fallback} renderError={(retry) => <LoadError onRetry={retry} />}>
    {children}
  </LazyBoundary>
);
