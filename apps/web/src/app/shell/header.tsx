import { LogOut, Menu as MenuIcon, Moon, Search, Settings, Sun } from 'lucide-react';
import { useRef, useState } from 'react';
import { Link } from 'wouter';
import { signOut, useSession } from '#features/session/session.ts';
import { getInitials } from '#shared/i18n/format.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { lazyComponent } from '#shared/lazy.ts';
import { navigate } from '#shared/location.tsx';
import { paths } from '#shared/paths.ts';
import { setColorMode, usePreferences } from '#shared/preferences.ts';
import { IconButton } from '#shared/ui/button.tsx';
import { LanguageSwitch } from '#shared/ui/language-switch.tsx';
import { LazyBoundary } from '#shared/ui/lazy-boundary.tsx';
import { Logo, Wordmark } from '#shared/ui/logo.tsx';
import { Menu } from '#shared/ui/menu.tsx';
import { SearchBox } from './search-box.tsx';

/** The avatar with its menu: Settings and Logout (SHELL-03). */
function UserMenu() {
  const t = useT();
  const { user } = useSession();
  const initials = user ? getInitials(user.displayName) : '';
  return (
    <Menu
      trigger={
        <button
          type="button"
          // The name holds what is shown, so that one can say it to press it.
          aria-label={[initials, t('shell.account')].filter(Boolean).join(' · ')}
          className="grid size-11 shrink-0 place-items-center rounded-full transition active:scale-94"
        >
          <span className="avatar grid size-9 place-items-center rounded-full text-[min(0.75rem,14px)] font-bold">
            {initials}
          </span>
        </button>
      }
      header={
        user && (
          <div className="mb-1.5 max-w-64 border-b border-line px-3 pt-1.5 pb-2.5 text-sm">
            <p className="truncate font-semibold">{user.displayName}</p>
            <p className="truncate text-xs text-muted">{user.email}</p>
          </div>
        )
      }
      items={() => [
        {
          id: 'settings',
          label: t('shell.settings'),
          icon: <Settings />,
          onSelect: () => navigate(paths.settings),
        },
        { id: 'logout', label: t('shell.logout'), icon: <LogOut />, onSelect: signOut },
      ]}
    />
  );
}

const Bell = lazyComponent(
  async () => (await import('#features/notifications/components/bell.tsx')).Bell,
  'library',
);

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
        <LazyBoundary fallback={<span className="size-11 pointer-fine:size-10" />}>
          <Bell />
        </LazyBoundary>
        <UserMenu />
      </div>
    </header>
  );
}
