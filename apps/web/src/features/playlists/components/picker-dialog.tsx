import type { Track } from '@escucho/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { currentT, useT } from '#shared/i18n/i18n.ts';
import { Dialog } from '#shared/ui/dialog.tsx';
import { toast } from '#shared/ui/toast.ts';
import { createPlaylist } from '../mutations.ts';
import { playlistsKey } from '../queries.ts';
import { NameForm } from './name-form.tsx';
import { PickerList } from './picker-list.tsx';

/** The add-to-playlist modal (LIST-03): the form replaces the list while a playlist is made. */
export default function PickerDialog({ track, onClose }: { track: Track; onClose: () => void }) {
  const t = useT();
  const client = useQueryClient();
  const [isCreating, setCreating] = useState(false);
  const create = async (name: string) => {
    const made = await createPlaylist(name, track._id);
    void client.invalidateQueries({ queryKey: playlistsKey });
    toast(currentT()('playlists.added', { name: made.name }));
    onClose();
  };
  return (
    <Dialog title={t(isCreating ? 'playlists.createTitle' : 'playlists.add')} onClose={onClose}>
      {isCreating ? (
        <NameForm action={t('playlists.create')} onSend={create} onBack={() => setCreating(false)} />
      ) : (
        <PickerList track={track} onCreate={() => setCreating(true)} />
      )}
    </Dialog>
  );
}
