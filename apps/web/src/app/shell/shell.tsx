import type { ReactNode, Ref } from 'react';
import { useMediaQuery } from '#shared/document.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { Header } from './header.tsx';
import { BottomNavigation, Navigation } from './navigation.tsx';
import { DemoNotice, OfflineBanner } from './notices.tsx';

interface Props {
  onNavigation: () => void;
  main?: Ref<HTMLElement>;
  /** The page. */
  children: ReactNode;
  player: ReactNode;
}

/**
 * Measures the header and the notices below it, for what stays clear of them: the sidebar, and what the focus scrolls to.
 * Their heights depend on the language and on the size of the text.
 */
function measureTop(top: HTMLElement | null): (() => void) | undefined {
  if (!top) return undefined;
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => style.setProperty('--top-height', `${top.offsetHeight}px`));
  observer.observe(top);
  return () => observer.disconnect();
}

/** The frame of every page for signed-in users (SHELL-01): header, sidebar, page and player. */
export function Shell({ onNavigation, main, children, player }: Props) {
  const t = useT();
  // Narrower than the variant `md` and not `low`.
  const isPhone = useMediaQuery('(width < 35rem), (width < 48rem) and (height >= 30rem)');
  return (
    <div className="shell">
      <a href="#main" className="skip-link">
        {t('shell.skip')}
      </a>
      <a href="#player" className="skip-link">
        {t('shell.skipToPlayer')}
      </a>
      <div className="shell-top" ref={measureTop}>
        <Header onNavigation={onNavigation} />
        <DemoNotice />
        <OfflineBanner />
      </div>
      <div className="shell-side hidden md:block low:block">
        <Navigation compact />
      </div>
      <main
        id="main"
        ref={main}
        tabIndex={-1}
        className="min-w-0 px-4 pt-6 pb-12 low:pt-4 outline-none sm:px-8 lg:pt-8"
      >
        {children}
      </main>
      <div className="shell-foot">
        {player}
        {isPhone && <BottomNavigation />}
      </div>
    </div>
  );
}
