import { useT } from '#shared/i18n/i18n.ts';
import { Drawer } from '#shared/ui/dialog.tsx';
import { Wordmark } from '#shared/ui/logo.tsx';
import { Navigation } from './navigation.tsx';

/** The sidebar on small screens: closes on Escape, a click outside, or navigation (SHELL-06). */
export function NavigationDrawer({ onClose }: { onClose: () => void }) {
  const t = useT();
  return (
    <Drawer side="left" title={t('shell.navigation')} onClose={onClose} hideTitle>
      <Wordmark className="mb-6 h-10" />
      <Navigation onNavigate={onClose} />
    </Drawer>
  );
}
