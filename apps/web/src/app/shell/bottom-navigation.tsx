import { NavLink } from 'react-router';
import { useT } from '#shared/i18n/i18n.ts';
import { navigationEntries } from './navigation.tsx';

/** The four main pages at the thumb's reach on phones, under the player; the drawer has the rest (SHELL-06). */
export function BottomNavigation() {
  const t = useT();
  return (
    <nav
      aria-label={t('shell.sections')}
      className="md:hidden border-t border-line bg-surface/95 pb-[env(safe-area-inset-bottom)] backdrop-blur-xl"
    >
      <ul className="grid min-h-14 grid-cols-4">
        {navigationEntries.map(({ to, label, icon: Icon }) => (
          <li key={to} className="grid">
            <NavLink
              to={to}
              className="grid content-center justify-items-center gap-0.5 text-center text-[0.6875rem] font-medium text-muted -outline-offset-2 [&.active]:text-accent-text"
            >
              <Icon aria-hidden className="size-5" />
              {t(label)}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
