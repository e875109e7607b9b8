import { Menu as MenuIcon, Moon, Search, Sun } from 'lucide-react';
import { useRef, useState } from 'react';
import { Link } from 'wouter';
import { useT } from '#shared/i18n/i18n.ts';
import { lazyComponent } from '#shared/lazy.ts';
import { paths } from '#shared/paths.ts';
import { setColorMode, usePreferences } from '#shared/preferences.ts';
import { IconButton } from '#shared/ui/button.tsx';
import { LazyBoundary } from '#shared/ui/lazy-boundary.tsx';
import { Logo, Wordmark } from '#shared/ui/logo.tsx';
import { LanguageSwitch } from './language-switch.tsx';
import { SearchBox } from './search-box.tsx';
import { UserMenu } from './user-menu.tsx';

const Bell = lazyComponent(
  async () => (await import('#features/notifications/components/bell.tsx')).Bell,
  'library',
);
const BellPlaceholder = () => <span className="size-11 pointer-fine:size-10" />;

/** The button that switches between the light and the dark theme (SHELL-07). */
function ThemeToggle() {
  const t = useT();
  const isDark = usePreferences((preferences) => preferences.colorMode === 'dark');
  return (
    <IconButton
      label={t(isDark ? 'shell.toLight' : 'shell.toDark')}
      onClick={() => setColorMode(isDark ? 'light' : 'dark')}
    >
      {isDark ? <Sun /> : <Moon />}
    </IconButton>
  );
}

/** The sticky header (SHELL-02). On a phone the search box opens over it from a button, and hides the search page's own. */
export function Header({ onNavigation }: { onNavigation: () => void }) {
  const t = useT();
  const [searching, setSearching] = useState(false);
  const searchButton = useRef<HTMLButtonElement>(null);
  const searchBox = useRef<HTMLDivElement>(null);
  const closeSearch = () => {
    // Where a link was followed, the focus goes to the new page instead.
    if (searchBox.current?.contains(document.activeElement)) searchButton.current?.focus();
    setSearching(false);
  };
  return (
    <header className="shell-header">
      {searching && (
        <div
          ref={searchBox}
          className="shell-search absolute inset-0 z-10 grid items-center bg-ground px-3 sm:hidden"
        >
          <SearchBox onLeave={closeSearch} />
        </div>
      )}
      <IconButton
        label={t('shell.openNavigation')}
        aria-haspopup="dialog"
        onClick={onNavigation}
        className="md:hidden"
      >
        <MenuIcon />
      </IconButton>
      <Link
        to={paths.discover}
        aria-label={t('shell.home')}
        className="rounded-md max-[22rem]:hidden lg:w-52"
      >
        <Logo className="lg:hidden" />
        <Wordmark className="max-lg:hidden" />
      </Link>
      <SearchBox className="mx-auto hidden w-full max-w-xl min-w-0 sm:block" />
      <div className="ml-auto flex items-center gap-0.5 sm:gap-1">
        <IconButton
          ref={searchButton}
          label={t('shell.search')}
          onClick={() => setSearching(true)}
          className="sm:hidden"
        >
          <Search />
        </IconButton>
        <ThemeToggle />
        <LanguageSwitch />
        <LazyBoundary fallback={<BellPlaceholder />}>
          <Bell />
        </LazyBoundary>
        <UserMenu />
      </div>
    </header>
  );
}
