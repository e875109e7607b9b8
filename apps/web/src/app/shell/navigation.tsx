import { clsx } from 'clsx';
import { BookImage, Compass, Info, LibraryBig, type LucideIcon, Search } from 'lucide-react';
import { useSession } from '#features/session/session.ts';
import { useConfig } from '#shared/config.ts';
import { type MessageKey, useT } from '#shared/i18n/i18n.ts';
import { lazyComponent } from '#shared/lazy.ts';
import { NavigationLink } from '#shared/location.tsx';
import { paths } from '#shared/paths.ts';
import { Wordmark } from '#shared/ui/logo.tsx';

interface Entry {
  to: string;
  label: MessageKey;
  icon: LucideIcon;
}

const navigationEntries: readonly Entry[] = [
  { to: paths.discover, label: 'shell.discover', icon: Compass },
  { to: paths.search, label: 'shell.search', icon: Search },
  { to: paths.library, label: 'shell.library', icon: LibraryBig },
  { to: paths.visualBook, label: 'shell.visualBooks', icon: BookImage },
];
const terms: Entry = { to: paths.terms, label: 'shell.terms', icon: Info };

interface Props {
  /** Shows icons only on medium screens; the labels remain for screen readers and as tooltips. */
  compact?: boolean;
  onNavigate?: () => void;
}

/** The sidebar's links (SHELL-06). Operators' users see the terms, all others 'About us'. */
export function Navigation({ compact = false, onNavigate }: Props) {
  const t = useT();
  const { user } = useSession();
  const config = useConfig();
  const link = clsx(
    'flex min-h-11 items-center gap-3.5 rounded-md px-3.5 text-sm font-medium text-muted transition-colors hover:bg-hover hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent-text',
    compact && 'max-lg:justify-center max-lg:px-0',
  );
  const labelClassName = compact ? 'max-lg:sr-only' : '';
  return (
    <nav aria-label={t('shell.navigation')}>
      <ul className="grid gap-1">
        {[...navigationEntries, ...(user?.isExternal ? [terms] : [])].map(({ to, label, icon: Icon }) => (
          <li key={to}>
            <NavigationLink
              to={to}
              title={compact ? t(label) : undefined}
              onClick={onNavigate}
              className={link}
            >
              <Icon aria-hidden className="size-5 shrink-0" />
              <span className={labelClassName}>{t(label)}</span>
            </NavigationLink>
          </li>
        ))}
        {user && !user.isExternal && config && (
          <li>
            <a
              href={config.communityUrl}
              target="_blank"
              rel="noopener"
              title={compact ? t('shell.about') : undefined}
              onClick={onNavigate}
              className={link}
            >
              <Info aria-hidden className="size-5 shrink-0" />
              <span className={labelClassName}>
                {t('shell.about')} <span className="sr-only">{t('shell.newTab')}</span>
              </span>
            </a>
          </li>
        )}
      </ul>
    </nav>
  );
}

/** The four main pages at the thumb's reach on phones, under the player; the drawer has the rest (SHELL-06). */
export function BottomNavigation() {
  const t = useT();
  return (
    <nav
      aria-label={t('shell.sections')}
      className="md:hidden low:hidden border-t border-line bg-surface/95 pb-[env(safe-area-inset-bottom)] backdrop-blur-xl"
    >
      <ul className="grid min-h-14 grid-cols-4">
        {navigationEntries.map(({ to, label, icon: Icon }) => (
          <li key={to} className="grid">
            <NavigationLink
              to={to}
              className="grid content-center justify-items-center gap-0.5 text-center text-[min(0.6875rem,5vw)] leading-[1.45] font-medium text-muted -outline-offset-2 aria-[current=page]:text-accent-text"
            >
              <Icon aria-hidden className="size-5" />
              {t(label)}
            </NavigationLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const Dialog = lazyComponent(async () => (await import('#shared/ui/dialog.tsx')).Dialog);

/** The sidebar on small screens: closes on Escape, a click outside, or navigation (SHELL-06). */
export function NavigationDrawer({ onClose }: { onClose: () => void }) {
  const t = useT();
  return (
    <Dialog side="left" title={t('shell.navigation')} onClose={onClose} hideTitle>
      <Wordmark className="mb-6 h-10" />
      <Navigation onNavigate={onClose} />
    </Dialog>
  );
}
