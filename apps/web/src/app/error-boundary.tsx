import { Component, type ReactNode } from 'react';
import { CrashPage } from './pages/crash.tsx';

interface Props {
  /** A change of it, e.g. of the address, is a new start. */
  place: string;
  /** What is drawn instead of what broke; the crash page where nothing is given. */
  instead?: ReactNode;
  children: ReactNode;
}

interface State {
  brokenAt: string | null;
}

/** Shows something else in place of what broke (SHELL-11), until the reader goes elsewhere. */
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
    const { children, instead = <CrashPage /> } = this.props;
    return this.state.brokenAt === null ? children : instead;
  }
}
