import type { Playlist } from '@escucho/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { currentT, useT } from '#shared/i18n/i18n.ts';
import { paths } from '#shared/paths.ts';
import { Confirm } from '#shared/ui/confirm.tsx';
import { Dialog } from '#shared/ui/dialog.tsx';
import { toast } from '#shared/ui/toast.ts';
import { changePlaylist, deletePlaylist } from '../mutations.ts';
import { playlistQuery, playlistsKey } from '../queries.ts';
import { NameForm } from './name-form.tsx';

interface Props {
  playlist: Playlist;
  asked: 'rename' | 'delete';
  onClose: () => void;
}

/** Renaming a playlist, or deleting it (LIST-05). */
export default function OwnerDialog({ playlist, asked, onClose }: Props) {
  const t = useT();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { queryKey } = playlistQuery(playlist._id);
  const refresh = () => void client.invalidateQueries({ queryKey: [...playlistsKey, 'own'] });
  const rename = async (name: string) => {
    client.setQueryData(queryKey, await changePlaylist(playlist, { name }));
    refresh();
    onClose();
  };
  const remove = async () => {
    onClose();
    try {
      await deletePlaylist(playlist._id);
      toast(currentT()('playlists.deleted', { name: playlist.name }));
      await navigate(paths.library);
      client.removeQueries({ queryKey });
      refresh();
    } catch (error) {
      // LIST-05: only logged.
      console.error(`"${playlist.name}" was not deleted`, error);
    }
  };
  if (asked === 'rename')
    return (
      <Dialog title={t('playlists.renameTitle')} onClose={onClose}>
        <NameForm initial={playlist.name} action={t('playlists.save')} onSend={rename} onBack={onClose} />
      </Dialog>
    );
  return (
    <Confirm
      title="playlists.deleteTitle"
      subtitle="playlists.deleteText"
      params={{ name: playlist.name }}
      ok="playlists.delete"
      isDanger
      onCancel={onClose}
      onOk={() => void remove()}
    />
  );
}
