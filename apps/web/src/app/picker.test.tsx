import { api } from '@escucho/contracts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { buildTrack, toId } from '../features/player/testing/fixtures.ts';
import { closePlaylistPicker } from '../features/playlists/components/playlist-picker.tsx';
import { mockShellEndpoints, mockSignedInUser, renderApp } from '../testing/app.tsx';
import { buildPlaylist } from '../testing/playlists.ts';
import { mockEndpoint, type ReceivedRequest } from '../testing/server.ts';

const own = Array.from({ length: 25 }, (_, index) =>
  buildPlaylist(100 + index, { name: `Morning walk ${100 + index}` }),
);

beforeEach(() => {
  closePlaylistPicker();
  mockSignedInUser();
  mockShellEndpoints();
  mockEndpoint(api.catalogue.discover, {
    continueListening: [],
    rows: [{ playlist: buildPlaylist(902, { name: 'Stories', origin: 'system' }), tracks: [buildTrack(3)] }],
  });
});

/** Answers with the reader's playlists, a page at a time. */
function answerPages(): ReceivedRequest[] {
  const heard: ReceivedRequest[] = mockEndpoint(api.playlists.findPlaylists, () => {
    const page = Number(heard.at(-1)?.url.searchParams.get('page'));
    return { docs: own.slice((page - 1) * 20, page * 20), totalDocs: own.length };
  });
  return heard;
}
const asked = (heard: { url: URL }[]) =>
  heard.map(({ url }) => ({
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
  it('[LIST-03] has Create, a search box, and a list 18rem high with an add button each, 20 a page, more on scroll', async () => {
    const heard = answerPages();
    const { dialog } = await open();
    const list = await dialog.findByRole('list', { name: 'Your playlists' });
    expect(dialog.getByRole('button', { name: 'Create' })).toBeTruthy();
    expect(dialog.getByRole('searchbox', { name: 'Search your playlists' })).toBeTruthy();
    expect(list.parentElement?.className).toContain('h-72');
    expect(within(list).getAllByRole('button', { name: /^Add to Morning walk/ })).toHaveLength(20);
    fireEvent.scroll(list.parentElement ?? list);
    await waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(25));
    const filter = { origin: 'user', name: { $ne: 'default' } };
    expect(asked(heard)).toEqual([
      { page: '1', limit: '20', filter },
      { page: '2', limit: '20', filter },
    ]);
  });

  it('[LIST-04] searches by name only beyond 3 characters, and once the box has rested', async () => {
    const heard = answerPages();
    const { user, dialog } = await open();
    await dialog.findByRole('list', { name: 'Your playlists' });
    await user.type(dialog.getByRole('searchbox'), 'wal');
    const typed = performance.now();
    await user.type(dialog.getByRole('searchbox'), 'k');
    await waitFor(() => expect(heard).toHaveLength(2));
    expect(performance.now() - typed).toBeGreaterThanOrEqual(500);
    expect(asked(heard).at(-1)?.filter).toEqual({ origin: 'user', name: { $ne: 'default', $regex: 'walk' } });
  });

  it('[LIST-03] adds the track by a form, says so, and undo takes it out again', async () => {
    answerPages();
    const heard = mockEndpoint(api.playlists.changePlaylist, () =>
      buildPlaylist(100, { name: 'Morning walk 100', totalTracks: 3 }),
    );
    const { user, dialog } = await open();
    await user.click(await dialog.findByRole('button', { name: 'Add to Morning walk 100' }));
    expect(dialog.getByRole('button', { name: 'Morning walk 100: Added' })).toBeTruthy();
    expect(await dialog.findByText('Added to Morning walk 100')).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(heard).toHaveLength(2));
    expect(heard.map(({ body }) => body)).toEqual([
      { _id: toId(100), origin: 'user', 'articles.added': toId(3) },
      { _id: toId(100), origin: 'user', 'articles.removed': toId(3) },
    ]);
  });

  it('[LIST-03] what the server refuses is taken back, in its words', async () => {
    answerPages();
    mockEndpoint(api.playlists.changePlaylist, 'limit_reached');
    const { user, dialog } = await open();
    await user.click(await dialog.findByRole('button', { name: 'Add to Morning walk 100' }));
    expect(await dialog.findByText('There is no room for more.')).toBeTruthy();
    expect(dialog.getByRole('button', { name: 'Add to Morning walk 100' })).toBeTruthy();
  });

  it.each([
    ['', 'This field is required'],
    ['Walks', 'Must be greater than 5 characters'],
    ['Walk-ing', 'Only letters and numbers are allowed'],
  ])('[LIST-02] the name %j: %s', async (name, words) => {
    answerPages();
    const { user, dialog } = await open();
    await user.click(dialog.getByRole('button', { name: 'Create' }));
    const form = within(screen.getByRole('dialog', { name: 'New playlist' }));
    if (name) await user.type(form.getByRole('textbox', { name: 'Name' }), name);
    await user.click(form.getByRole('button', { name: 'Create' }));
    expect(await form.findByText(words)).toBeTruthy();
  });

  it('[LIST-01] [LIST-03] the form replaces the list; a new playlist has the track in it', async () => {
    answerPages();
    const heard = mockEndpoint(api.playlists.createPlaylist, buildPlaylist(200, { name: 'Evening walk' }));
    const { user, dialog } = await open();
    await user.click(dialog.getByRole('button', { name: 'Create' }));
    const form = within(screen.getByRole('dialog', { name: 'New playlist' }));
    expect(form.queryByRole('list', { name: 'Your playlists' })).toBeNull();
    expect(document.activeElement).toBe(form.getByRole('textbox', { name: 'Name' }));
    await user.keyboard('Evening walk{Enter}');
    expect(await screen.findByText('Added to Evening walk')).toBeTruthy();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(heard[0]?.body).toEqual({
      name: 'Evening walk',
      origin: 'user',
      active: 'true',
      'articles.added': toId(3),
    });
  });

  it('[CAT-09] says when the playlists do not load, and tries again', async () => {
    mockEndpoint(api.playlists.findPlaylists, 'not_found');
    const { user, dialog } = await open();
    expect(await dialog.findByText('Your playlists did not load.')).toBeTruthy();
    mockEndpoint(api.playlists.findPlaylists, { docs: [], totalDocs: 0 });
    await user.click(dialog.getByRole('button', { name: 'Try again' }));
    expect(await dialog.findByText('No playlists yet')).toBeTruthy();
  });
});
