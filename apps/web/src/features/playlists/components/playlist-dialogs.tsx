import { api, type Playlist, playlistForm } from '@escucho/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, ignoreMissing, isMissing } from '#shared/api/client.ts';
import { Field, useForm } from '#shared/form.tsx';
import { getT, useT } from '#shared/i18n/i18n.ts';
import { navigate, useLocation } from '#shared/location.tsx';
import { paths } from '#shared/paths.ts';
import { Button } from '#shared/ui/button.tsx';
import { ConfirmDialog, Dialog, useIsMounted } from '#shared/ui/dialog.tsx';
import { toastError, toastWithUndo } from '#shared/ui/toast.tsx';
import { createUuid } from '#shared/uuid.ts';
import { changePlaylist, createPlaylist, playlistQuery, playlistsKey } from '../queries.ts';

interface NameFormProps {
  initial?: string;
  submitLabel: string;
  /** The key is the same each time the form is sent. */
  onSubmit: (name: string, key: string) => Promise<void>;
  onBack: () => void;
}

/** The form for a playlist's name, with its validation (LIST-02). */
export function NameForm({ initial = '', submitLabel, onSubmit, onBack }: NameFormProps) {
  const t = useT();
  const { field, submit, busy } = useForm(playlistForm, { name: initial }, { takesFocus: true });
  const [key] = useState(createUuid);
  return (
    <form {...submit(({ name }) => onSubmit(name, key), toastError)} className="grid gap-5">
      <Field
        label={t('playlists.name')}
        hint={t('playlists.nameHint')}
        placeholder={t('playlists.nameExample')}
        autoComplete="off"
        {...field('name')}
      />
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onBack}>{t('playlists.back')}</Button>
        <Button variant="solid" type="submit" busy={busy}>
          {submitLabel}
        </Button>
      </div>
    </form>
  );
}

/** Creates a playlist and opens its page. */
export function CreateDialog({ onClose }: { onClose: () => void }) {
  const t = useT();
  const client = useQueryClient();
  const isOpen = useIsMounted();
  const create = async (name: string, key: string) => {
    const { _id } = await createPlaylist(name, key);
    void client.invalidateQueries({ queryKey: playlistsKey });
    if (!isOpen.current) return;
    onClose();
    navigate(paths.playlist(_id));
  };
  return (
    <Dialog title={t('playlists.createTitle')} onClose={onClose}>
      <NameForm submitLabel={t('playlists.create')} onSubmit={create} onBack={onClose} />
    </Dialog>
  );
}

interface OwnerDialogProps {
  playlist: Playlist;
  action: 'rename' | 'delete';
  onClose: () => void;
}

/** Renames a playlist or deletes it (LIST-05). */
export function OwnerDialog({ playlist, action, onClose }: OwnerDialogProps) {
  const t = useT();
  const client = useQueryClient();
  const { pathname } = useLocation();
  const isOpen = useIsMounted();
  const params = { id: playlist._id };
  const { queryKey } = playlistQuery(playlist._id);
  const refreshLists = () => void client.invalidateQueries({ queryKey: [...playlistsKey, 'own'] });
  const rename = async (name: string) => {
    if (name !== playlist.name) {
      client.setQueryData(queryKey, await changePlaylist(playlist, { name }));
      refreshLists();
    }
    if (isOpen.current) onClose();
  };
  const offerUndo = () =>
    toastWithUndo(getT()('playlists.deleted', { name: playlist.name }), () => void restore());
  const restore = async () => {
    try {
      client.setQueryData(queryKey, await call(api.playlists.restorePlaylist, { params }));
    } catch (error) {
      toastError(error);
      if (!isMissing(error)) offerUndo();
    } finally {
      // Also after a failure: only the response may have been lost.
      refreshLists();
    }
  };
  const remove = async () => {
    onClose();
    try {
      await call(api.playlists.deletePlaylist, { params }).catch(ignoreMissing);
      offerUndo();
      // The user may have opened another page since.
      if (location.pathname === pathname) navigate(paths.library);
      client.removeQueries({ queryKey });
    } catch (error) {
      // LIST-05 asks for the log only; without a message the user would believe that it is deleted.
      console.error(`"${playlist.name}" was not deleted`, error);
      toastError(error);
    } finally {
      refreshLists();
    }
  };
  if (action === 'rename')
    return (
      <Dialog title={t('playlists.renameTitle')} onClose={onClose}>
        <NameForm initial={playlist.name} submitLabel={t('common.save')} onSubmit={rename} onBack={onClose} />
      </Dialog>
    );
  return (
    <ConfirmDialog
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
