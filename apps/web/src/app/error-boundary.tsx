import { Component, type ReactNode } from 'react';
import { CrashPage } from './pages/crash.tsx';

interface Props {
  /** A change of it, e.g. of the address, is a new start. */
  place: string;
  children: ReactNode;
}

interface State {
  brokenAt: string | null;
}

/** Shows the crash page in place of what broke (SHELL-11), until the reader goes elsewhere. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { brokenAt: null };

  override componentDidCatch(): void {
    this.setState({ brokenAt: this.props.place });
  }

  static getDerivedStateFromError(): State {
    return { brokenAt: '' };
  }

  static getDerivedStateFromProps({ place }: Props, { brokenAt }: State): State | null {
    return brokenAt && brokenAt !== place ? { brokenAt: null } : null;
  }

  override render(): ReactNode {
    return this.state.brokenAt === null ? this.props.children : <CrashPage />;
  }
}
