import { LogOut, Settings } from 'lucide-react';
import { signOut, useSession } from '#features/session/session.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { getInitials } from '#shared/initials.ts';
import { navigate } from '#shared/location.tsx';
import { paths } from '#shared/paths.ts';
import { Menu } from '#shared/ui/menu.tsx';

/** The avatar with its menu: Settings and Logout (SHELL-03). */
export function UserMenu() {
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
