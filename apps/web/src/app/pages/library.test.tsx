import { api, type Playlist } from '@escucho/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { anEntry, idOf } from '../../features/player/testing/fixtures.ts';
import { address, answerShell, keepReader, visit } from '../../testing/app.tsx';
import { answer, server } from '../../testing/server.ts';

const aPlaylist = (number: number, changes: Partial<Playlist> = {}): Playlist => ({
  _id: idOf(number),
  name: 'Morning walk',
  titles: null,
  origin: 'user',
  active: true,
  images: [],
  totalTracks: 2,
  totalDuration: 200,
  createdAt: '2026-11-01T00:00:00.000Z',
  ...changes,
});
const heard = { ...anEntry(5), heardAt: '2026-11-20T10:00:00.000Z' };

beforeEach(() => {
  keepReader();
  answerShell();
  answer(api.catalogue.discover, { continueListening: [anEntry(4)], rows: [] });
  answer(api.history.findHistory, { docs: [heard], totalDocs: 1 });
});

/** Answers with the reader's playlists, or the favourites where those are looked for. */
function answerPlaylists(): void {
  server.use(
    http.get('*/api/playlist/find-paginated', ({ request }) => {
      const { origin } = JSON.parse(new URL(request.url).searchParams.get('filter') ?? '{}');
      const found = origin === 'auto' ? aPlaylist(800, { name: 'default', origin }) : aPlaylist(700);
      return HttpResponse.json({ docs: [found], totalDocs: 1 });
    }),
  );
}

describe('[CAT-05] the library', () => {
  it('shows the favourites, the reader’s playlists, what was begun and what was heard', async () => {
    answerPlaylists();
    await visit('/library');
    const link = await screen.findByRole('link', { name: /^Favorites/ });
    expect(link.getAttribute('href')).toBe(`/playlist/${idOf(800)}`);
    expect(screen.getByRole('link', { name: /^Morning walk/ }).getAttribute('href')).toBe(
      `/playlist/${idOf(700)}`,
    );
    expect(await screen.findByRole('button', { name: 'Resume Track 4' })).toBeTruthy();
    const history = within(await screen.findByRole('region', { name: 'History' }));
    expect(await history.findByRole('button', { name: 'Play Track 5' })).toBeTruthy();
    expect(history.getByText('20 Nov 2026')).toBeTruthy();
  });

  it('clears the history only after asking', async () => {
    const cleared = answer(api.history.clearHistory, { removed: 1 });
    const { user } = await visit('/library');
    const clear = await screen.findByRole('button', { name: 'Clear history' });
    await user.click(clear);
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel' }));
    expect(cleared).toHaveLength(0);
    await user.click(clear);
    answer(api.history.findHistory, { docs: [], totalDocs: 0 });
    const dialog = within(await screen.findByRole('dialog', { name: 'Clear your history?' }));
    await user.click(dialog.getByRole('button', { name: 'Clear history' }));
    expect(await screen.findByText('What you have heard will stand here.')).toBeTruthy();
    expect(cleared).toHaveLength(1);
  });

  it('makes a playlist and leads to it', async () => {
    answer(api.playlists.createPlaylist, aPlaylist(701, { name: 'Evening walk', totalTracks: 0 }));
    answer(api.playlists.findPlaylist, aPlaylist(701, { name: 'Evening walk', totalTracks: 0 }));
    answer(api.playlists.findPlaylistContent, { docs: [], totalDocs: 0 });
    const { user } = await visit('/library');
    await user.click(await screen.findByRole('button', { name: 'New playlist' }));
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Evening walk{Enter}');
    await waitFor(() => expect(address()).toBe(`/playlist/${idOf(701)}`));
  });

  it('[CAT-09] says what did not load, and tries again', async () => {
    answer(api.playlists.findPlaylists, 'not_found');
    const { user } = await visit('/library');
    expect(await screen.findByText('Your playlists did not load.')).toBeTruthy();
    answerPlaylists();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('link', { name: /^Morning walk/ })).toBeTruthy();
  });
});
