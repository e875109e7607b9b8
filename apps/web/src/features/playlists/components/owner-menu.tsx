import type { Playlist } from '@escucho/contracts';
import { Ellipsis, Pencil, Trash2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useT } from '#shared/i18n/i18n.ts';
import { IconButton } from '#shared/ui/icon-button.tsx';
import { Menu } from '#shared/ui/menu.tsx';
import { dialog } from '../dialog.ts';

const OwnerDialog = dialog(() => import('./owner-dialog.tsx'));

/** What a reader may do to a playlist of theirs as a whole. */
export default function OwnerMenu({ playlist }: { playlist: Playlist }) {
  const t = useT();
  const [asked, ask] = useState<'rename' | 'delete' | null>(null);
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
            onSelect: () => ask('rename'),
            opensDialog: true,
          },
          {
            id: 'delete',
            label: t('playlists.delete'),
            icon: <Trash2 />,
            onSelect: () => ask('delete'),
            opensDialog: true,
          },
        ]}
      />
      <Suspense>
        {asked && <OwnerDialog playlist={playlist} asked={asked} onClose={() => ask(null)} />}
      </Suspense>
    </>
  );
}
