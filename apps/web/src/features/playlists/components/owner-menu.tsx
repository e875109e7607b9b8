import type { Playlist } from '@escucho/contracts';
import { Ellipsis, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useT } from '#shared/i18n/i18n.ts';
import { lazyComponent } from '#shared/lazy.ts';
import { IconButton } from '#shared/ui/button.tsx';
import { LazyBoundary } from '#shared/ui/lazy-boundary.tsx';
import { Menu } from '#shared/ui/menu.tsx';

const OwnerDialog = lazyComponent(
  async () => (await import('./playlist-dialogs.tsx')).OwnerDialog,
  'library',
  'auth',
);

/** The menu of a playlist for its owner. */
export function OwnerMenu({ playlist }: { playlist: Playlist }) {
  const t = useT();
  const [action, setAction] = useState<'rename' | 'delete' | null>(null);
  return (
    <>
      <Menu
        trigger={
          <IconButton label={t('playlists.options', { name: playlist.name })}>
            <Ellipsis />
          </IconButton>
        }
        items={() => [
          {
            id: 'rename',
            label: t('playlists.rename'),
            icon: <Pencil />,
            onSelect: () => setAction('rename'),
            opensDialog: true,
          },
          {
            id: 'delete',
            label: t('playlists.delete'),
            icon: <Trash2 />,
            onSelect: () => setAction('delete'),
            opensDialog: true,
          },
        ]}
      />
      <LazyBoundary onFailed={() => setAction(null)}>
        {action && <OwnerDialog playlist={playlist} action={action} onClose={() => setAction(null)} />}
      </LazyBoundary>
    </>
  );
}
