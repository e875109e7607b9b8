import type { Playlist, Track } from '@escucho/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { Check, Plus } from 'lucide-react';
import { useState } from 'react';
import { currentT, useT } from '#shared/i18n/i18n.ts';
import { sayFailure } from '#shared/say-failure.ts';
import { Button } from '#shared/ui/button.tsx';
import { toast } from '#shared/ui/toast.ts';
import { changePlaylist } from '../mutations.ts';
import { playlistsKey } from '../queries.ts';
import { PlaylistCover } from './playlist-cover.tsx';

/** Puts the track in at once, with a way back where it was not in before. */
function useAdding(playlist: Playlist, track: Track) {
  const client = useQueryClient();
  const [isIn, setIn] = useState(false);
  const refresh = () => client.invalidateQueries({ queryKey: playlistsKey });
  const change = async (name: 'articles.added' | 'articles.removed') => {
    setIn(name === 'articles.added');
    try {
      return await changePlaylist(playlist, { [name]: track._id });
    } catch (error) {
      setIn(name !== 'articles.added');
      sayFailure(error);
      return null;
    } finally {
      void refresh();
    }
  };
  const add = async () => {
    const changed = await change('articles.added');
    if (!changed) return;
    const t = currentT();
    const undo = { label: t('common.undo'), run: () => void change('articles.removed') };
    const isNew = changed.totalTracks > playlist.totalTracks;
    toast(t('playlists.added', { name: changed.name }), 'success', 'top-right', isNew ? undo : undefined);
  };
  return { isIn, add };
}

/** One of the reader's playlists, with its add button. */
export function PickerRow({ playlist, track }: { playlist: Playlist; track: Track }) {
  const t = useT();
  const { isIn, add } = useAdding(playlist, track);
  const Icon = isIn ? Check : Plus;
  return (
    <li className="flex items-center gap-3 rounded-md py-1.5 pr-1">
      <PlaylistCover playlist={playlist} className="size-11 rounded-sm" />
      <span className="min-w-0 flex-1">
        <span className="block truncate text-sm font-medium">{playlist.name}</span>
        <span className="block text-xs text-muted">{t.count('playlists.tracks', playlist.totalTracks)}</span>
      </span>
      <Button
        aria-label={
          isIn ? `${playlist.name}: ${t('playlists.isIn')}` : t('playlists.addTo', { name: playlist.name })
        }
        aria-disabled={isIn}
        onClick={() => !isIn && void add()}
        className="size-11 shrink-0 px-0! aria-disabled:text-success"
      >
        <Icon aria-hidden className="size-5" />
      </Button>
    </li>
  );
}
