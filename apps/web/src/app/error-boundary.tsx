import { Component, type ReactNode } from 'react';
import { useT } from '#shared/i18n/i18n.ts';
import { lazyComponent } from '#shared/lazy.ts';
import { Button } from '#shared/ui/button.tsx';
import { WaveformIllustration } from '#shared/ui/states.tsx';

/** Shown when a page throws or its code cannot be loaded (SHELL-11), with the reason when offline (CAT-09). */
export function CrashPage() {
  const t = useT();
  const isOffline = !navigator.onLine;
  return (
    <div
      role="alert"
      className="grid min-h-[60dvh] place-content-center justify-items-center px-4 text-center"
    >
      <div className="text-accent-text">
        <WaveformIllustration broken />
      </div>
      <h1 className="mt-6 font-serif text-xl font-semibold text-balance">
        {t(isOffline ? 'common.failedTitle' : 'shell.crashTitle')}
      </h1>
      <p className="mt-3 max-w-md text-muted text-pretty">
        {t(isOffline ? 'common.network' : 'shell.crashText')}
      </p>
      <Button variant="solid" className="mt-8" onClick={() => location.reload()}>
        {t('shell.reload')}
      </Button>
    </div>
  );
}

/** The content for an unknown URL, loaded when it is first rendered. */
export const LazyNotFound = lazyComponent(
  async () => (await import('./pages/not-found.tsx')).NotFound,
  'auth',
);

interface Props {
  /** A change, e.g. to another page's key, renders the children again. */
  resetKey: string;
  /** Rendered in place of children that threw; the crash page by default. */
  fallback?: ReactNode;
  children: ReactNode;
}

interface State {
  failedKey: string | null;
}

/** Renders a fallback in place of children that threw (SHELL-11), until `resetKey` changes. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failedKey: null };

  override componentDidCatch(): void {
    this.setState({ failedKey: this.props.resetKey });
  }

  static getDerivedStateFromError(): State {
    return { failedKey: '' };
  }

  static getDerivedStateFromProps({ resetKey }: Props, { failedKey }: State): State | null {
    return failedKey && failedKey !== resetKey ? { failedKey: null } : null;
  }

  override render(): ReactNode {
    const { children, fallback: instead = <CrashPage /> } = this.props;
    return this.state.failedKey === null ? children : instead;
  }
}
