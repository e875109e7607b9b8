import { api } from '@escucho/contracts';
import { onlineManager } from '@tanstack/react-query';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { buildTrack, toId } from '#features/player/testing/fixtures.ts';
import { closePlaylistPicker, openPlaylistPicker } from '#features/playlists/components/track-tools.tsx';
import { mockSignedInUser, renderApp } from '#testing/app.tsx';
import { buildPlaylist } from '#testing/builders.ts';
import { createDeferred } from '#testing/deferred.ts';
import { mockEndpoint, type ReceivedRequest } from '#testing/server.ts';

const own = Array.from({ length: 25 }, (_, index) =>
  buildPlaylist(100 + index, { name: `Morning walk ${100 + index}` }),
);

beforeEach(() => {
  closePlaylistPicker();
  mockSignedInUser();
  mockEndpoint(api.catalogue.discover, {
    continueListening: [],
    rows: [{ playlist: buildPlaylist(902, { name: 'Stories', origin: 'system' }), tracks: [buildTrack(3)] }],
  });
});

/** Mocks the user's playlists, in pages of 20. */
function mockPlaylistPages(): ReceivedRequest[] {
  const requests: ReceivedRequest[] = mockEndpoint(api.playlists.findPlaylists, () => {
    const page = Number(requests.at(-1)?.url.searchParams.get('page'));
    return { docs: own.slice((page - 1) * 20, page * 20), totalDocs: own.length };
  });
  return requests;
}
/** A playlist after the track was added to it. */
const changed = buildPlaylist(100, { name: 'Morning walk 100', totalTracks: 3 });
const getQueries = (requests: { url: URL }[]) =>
  requests.map(({ url }) => ({
    page: url.searchParams.get('page'),
    limit: url.searchParams.get('limit'),
    filter: JSON.parse(url.searchParams.get('filter') ?? '{}'),
  }));

async function open() {
  const { user } = await renderApp('/discover');
  const trigger = await screen.findByRole('button', { name: 'More for Track 3' });
  await user.click(trigger);
  await user.click(await screen.findByRole('menuitem', { name: 'Add to playlist' }));
  return { user, trigger, dialog: within(await screen.findByRole('dialog', { name: 'Add to playlist' })) };
}

describe('the add-to-playlist modal', () => {
  it('[LIST-03] lists 20 playlists per page, 18rem high, with Create and search', async () => {
    const requests = mockPlaylistPages();
    const { dialog } = await open();
    const list = await dialog.findByRole('list', { name: 'Your playlists' });
    expect(dialog.getByRole('button', { name: 'Create' })).toBeInTheDocument();
    expect(dialog.getByRole('searchbox', { name: 'Search your playlists' })).toBeInTheDocument();
    expect(list.parentElement?.className).toContain('h-72');
    expect(within(list).getAllByRole('button', { name: /^Add to Morning walk/ })).toHaveLength(20);
    fireEvent.scroll(list.parentElement ?? list);
    await waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(25));
    const filter = { origin: 'user', name: { $ne: 'default' } };
    expect(getQueries(requests)).toEqual([
      { page: '1', limit: '20', filter },
      { page: '2', limit: '20', filter },
    ]);
  });

  it('[LIST-04] searches by name from 4 characters on, 500 ms after typing', async () => {
    const requests = mockPlaylistPages();
    const { user, dialog } = await open();
    await dialog.findByRole('list', { name: 'Your playlists' });
    await user.type(dialog.getByRole('searchbox'), 'wal');
    const typed = performance.now();
    await user.type(dialog.getByRole('searchbox'), 'k');
    await waitFor(() => expect(requests).toHaveLength(2));
    expect(performance.now() - typed).toBeGreaterThanOrEqual(500);
    expect(getQueries(requests).at(-1)?.filter).toEqual({
      origin: 'user',
      name: { $ne: 'default', $regex: 'walk' },
    });
  });

  it('[LIST-03] adds the track, confirms it, and undo removes it', async () => {
    mockPlaylistPages();
    const requests = mockEndpoint(api.playlists.changePlaylist, { ...changed, addedTracks: 1 });
    const { user, dialog } = await open();
    await user.click(await dialog.findByRole('button', { name: 'Add to Morning walk 100' }));
    expect(dialog.getByRole('button', { name: 'Morning walk 100: Added' })).toBeInTheDocument();
    expect(await dialog.findByText('Added to Morning walk 100')).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(requests).toHaveLength(2));
    expect(requests.map(({ body }) => body)).toEqual([
      { _id: toId(100), origin: 'user', 'articles.added': toId(3) },
      { _id: toId(100), origin: 'user', 'articles.removed': toId(3) },
    ]);
  });

  it('[LIST-03] offers no undo where another device has added the track before', async () => {
    mockPlaylistPages();
    mockEndpoint(api.playlists.changePlaylist, { ...changed, addedTracks: 0 });
    const { user, dialog } = await open();
    await user.click(await dialog.findByRole('button', { name: 'Add to Morning walk 100' }));
    expect(await dialog.findByText('Added to Morning walk 100')).toBeInTheDocument();
    expect(dialog.queryByRole('button', { name: 'Undo' })).not.toBeInTheDocument();
  });

  it('[LIST-03] a refused addition is reverted and shows the server’s message', async () => {
    mockPlaylistPages();
    mockEndpoint(api.playlists.changePlaylist, 'limit_reached');
    const { user, dialog } = await open();
    await user.click(await dialog.findByRole('button', { name: 'Add to Morning walk 100' }));
    expect(await dialog.findByText('There is no room for more. Remove something first.')).toBeInTheDocument();
    expect(dialog.getByRole('button', { name: 'Add to Morning walk 100' })).toBeInTheDocument();
  });

  it.each([
    ['', 'This field is required'],
    ['Walks', 'Must be greater than 5 characters'],
    ['Walk-ing', 'Only letters and numbers are allowed'],
  ])('[LIST-02] the name %j shows: %s', async (name, message) => {
    mockPlaylistPages();
    const { user, dialog } = await open();
    await user.click(dialog.getByRole('button', { name: 'Create' }));
    const form = within(screen.getByRole('dialog', { name: 'New playlist' }));
    if (name) await user.type(form.getByRole('textbox', { name: 'Name' }), name);
    await user.click(form.getByRole('button', { name: 'Create' }));
    expect(await form.findByText(message)).toBeInTheDocument();
  });

  it('[LIST-01] [LIST-03] the form replaces the list, and a new playlist includes the track', async () => {
    mockPlaylistPages();
    const requests = mockEndpoint(api.playlists.createPlaylist, buildPlaylist(200, { name: 'Evening walk' }));
    const { user, dialog } = await open();
    await user.click(dialog.getByRole('button', { name: 'Create' }));
    const form = within(screen.getByRole('dialog', { name: 'New playlist' }));
    expect(form.queryByRole('list', { name: 'Your playlists' })).not.toBeInTheDocument();
    expect(form.getByRole('textbox', { name: 'Name' })).toHaveFocus();
    await user.keyboard('Evening walk{Enter}');
    expect(await screen.findByText('Added to Evening walk')).toBeInTheDocument();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(requests[0]?.body).toEqual({
      name: 'Evening walk',
      origin: 'user',
      active: 'true',
      'articles.added': toId(3),
      idempotencyKey: expect.any(String),
    });
  });

  it('[LIST-01] a new playlist is sent again with the same key', async () => {
    mockPlaylistPages();
    const requests = mockEndpoint(api.playlists.createPlaylist, 'internal');
    const { user, dialog } = await open();
    await user.click(dialog.getByRole('button', { name: 'Create' }));
    const form = within(screen.getByRole('dialog', { name: 'New playlist' }));
    await user.keyboard('Evening walk{Enter}');
    await waitFor(() => expect(requests).toHaveLength(1));
    await waitFor(() => expect(form.getByRole('button', { name: 'Create' })).toBeEnabled());
    await user.click(form.getByRole('button', { name: 'Create' }));
    await waitFor(() => expect(requests).toHaveLength(2));
    expect(requests[1]?.body).toEqual(requests[0]?.body);
  });

  it('closed while a playlist is created, stays open for another track', async () => {
    mockPlaylistPages();
    const { promise: delay, resolve: respond } = createDeferred();
    const requests = mockEndpoint(api.playlists.createPlaylist, changed, delay);
    const { user, dialog } = await open();
    await user.click(dialog.getByRole('button', { name: 'Create' }));
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Morning walk 100{Enter}');
    await waitFor(() => expect(requests).toHaveLength(1));
    await user.click(screen.getByRole('button', { name: 'Close' }));
    openPlaylistPicker(buildTrack(4));
    expect(await screen.findByText('Track 4')).toBeInTheDocument();
    respond();
    expect(await screen.findByText('Added to Morning walk 100')).toBeInTheDocument();
    expect(screen.getByRole('dialog', { name: 'Add to playlist' })).toBeInTheDocument();
  });

  it('[CAT-09] playlists that fail to load show an error with a retry', async () => {
    mockEndpoint(api.playlists.findPlaylists, 'not_found');
    const { user, dialog } = await open();
    expect(await dialog.findByText('Your playlists did not load.')).toBeInTheDocument();
    mockEndpoint(api.playlists.findPlaylists, { docs: [], totalDocs: 0 });
    await user.click(dialog.getByRole('button', { name: 'Try again' }));
    expect(await dialog.findByText('No playlists yet')).toBeInTheDocument();
  });

  it('[CAT-09] shows no error of further playlists when all are loaded', async () => {
    mockEndpoint(api.playlists.findPlaylists, { docs: own.slice(0, 2), totalDocs: 2 });
    mockEndpoint(api.playlists.changePlaylist, 'limit_reached');
    const { user, dialog } = await open();
    const add = await dialog.findByRole('button', { name: 'Add to Morning walk 100' });
    onlineManager.setOnline(false);
    await user.click(add);
    expect(await dialog.findByText('There is no room for more. Remove something first.')).toBeInTheDocument();
    expect(dialog.queryByText('The rest did not load.')).not.toBeInTheDocument();
  });
});
