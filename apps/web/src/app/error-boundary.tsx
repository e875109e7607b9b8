import { Component, type ReactNode } from 'react';
import { CrashPage } from './pages/crash.tsx';

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

  static getDerivedStateFromProps({ resetKey: place }: Props, { failedKey: brokenAt }: State): State | null {
    return brokenAt && brokenAt !== place ? { failedKey: null } : null;
  }

  override render(): ReactNode {
    const { children, fallback: instead = <CrashPage /> } = this.props;
    return this.state.failedKey === null ? children : instead;
  }
}
