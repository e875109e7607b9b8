import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { useT } from '#shared/i18n/i18n.ts';
import { paths } from '#shared/paths.ts';
import { Dialog } from '#shared/ui/dialog.tsx';
import { createPlaylist } from '../mutations.ts';
import { playlistsKey } from '../queries.ts';
import { NameForm } from './name-form.tsx';

/** A new playlist, and on to it. */
export default function CreateDialog({ onClose }: { onClose: () => void }) {
  const t = useT();
  const client = useQueryClient();
  const navigate = useNavigate();
  const create = async (name: string) => {
    const { _id } = await createPlaylist(name);
    void client.invalidateQueries({ queryKey: playlistsKey });
    onClose();
    await navigate(paths.playlist(_id));
  };
  return (
    <Dialog title={t('playlists.createTitle')} onClose={onClose}>
      <NameForm action={t('playlists.create')} onSend={create} onBack={onClose} />
    </Dialog>
  );
}
