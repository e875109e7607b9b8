import { api, type Playlist } from '@escucho/contracts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { usePlayer } from '#features/player/engine/store.ts';
import { buildTrack, toId } from '#features/player/testing/fixtures.ts';
import { ana, free, getCurrentUrl, mockSignedInUser, renderApp } from '#testing/app.tsx';
import { buildPlaylist } from '#testing/builders.ts';
import { createDeferred } from '#testing/deferred.ts';
import { mockEndpoint, server } from '#testing/server.ts';

const ownPlaylist = buildPlaylist(700, { totalTracks: 3, totalDuration: 3900 });
/** The playlist after a change. */
const changed = { ...ownPlaylist, addedTracks: 0 };
const tracks = [buildTrack(1), buildTrack(2), buildTrack(3)];
const path = `/playlist/${ownPlaylist._id}`;

function mockPlaylist(playlist = ownPlaylist, docs = tracks): void {
  mockEndpoint(api.playlists.findPlaylist, playlist);
  mockEndpoint(api.playlists.findPlaylistContent, { docs, totalDocs: docs.length });
}
const mockChanges = () => mockEndpoint(api.playlists.changePlaylist, changed);

beforeEach(() => {
  mockSignedInUser();
  mockPlaylist();
});

const list = () => screen.findByRole('region', { name: 'Tracks of Morning walk' });
const order = async () =>
  within(await list())
    .getAllByRole('button', { name: /^Play/ })
    .map((button) => button.getAttribute('aria-label'));
const handle = (title: string) => screen.findByRole('button', { name: new RegExp(`^Move ${title},`) });

type User = Awaited<ReturnType<typeof renderApp>>['user'];

async function remove(user: User) {
  // The rows are replaced once the code that sorts them has loaded, and a menu that is open with them.
  await handle('Track 2');
  await user.click(await screen.findByRole('button', { name: 'More for Track 2' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Remove from this playlist' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Remove “Track 2” from the playlist?' }));
  await user.click(dialog.getByRole('button', { name: 'Delete' }));
}

/** Moves the first track down. The server responds once `respond` is called. */
async function startMove() {
  const { promise: delay, resolve: respond } = createDeferred();
  const moves = mockEndpoint(api.playlists.changePlaylist, changed, delay);
  const { user } = await renderApp(path);
  (await handle('Track 1')).focus();
  await user.keyboard('{ArrowDown}');
  await waitFor(() => expect(moves).toHaveLength(1));
  return { user, respond };
}

/** Chooses an entry of the playlist's menu. */
async function choose(user: User, entry: string) {
  await user.click(await screen.findByRole('button', { name: 'Options of Morning walk' }));
  await user.click(await screen.findByRole('menuitem', { name: entry }));
}

async function confirmDeletion(user: User) {
  await choose(user, 'Delete');
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete “Morning walk”?' }));
  await user.click(dialog.getByRole('button', { name: 'Delete' }));
}

describe('[LIST-06] a playlist page', () => {
  it('shows its name, its totals and its tracks in order', async () => {
    await renderApp(path);
    expect(await screen.findByRole('heading', { level: 1, name: 'Morning walk' })).toBeInTheDocument();
    expect(screen.getByText('3 tracks · 1 hr 5 min')).toBeInTheDocument();
    expect(await order()).toEqual(['Play Track 1', 'Play Track 2', 'Play Track 3']);
  });

  it('shows the changes of another tab once this tab is shown again', async () => {
    await renderApp(path);
    await screen.findByRole('button', { name: 'Play Track 3' });
    mockPlaylist({ ...ownPlaylist, totalTracks: 2, totalDuration: 1200 }, tracks.slice(0, 2));
    act(() => void window.dispatchEvent(new Event('visibilitychange')));
    expect(await screen.findByText('2 tracks · 20 min')).toBeInTheDocument();
    await waitFor(async () => expect(await order()).toEqual(['Play Track 1', 'Play Track 2']));
  });

  it('lists a track once that moved to the next page before that was loaded', async () => {
    const pages = [
      { docs: tracks.slice(0, 2), totalDocs: 3 },
      { docs: tracks.slice(1), totalDocs: 4 },
    ];
    mockEndpoint(api.playlists.findPlaylistContent, () => pages.shift() ?? 'not_found');
    await renderApp(path);
    await screen.findByRole('button', { name: 'Play Track 3' });
    expect(await order()).toEqual(['Play Track 1', 'Play Track 2', 'Play Track 3']);
  });

  it('[PLAY-04] plays what is free at the level of the user by itself, without a lock', async () => {
    mockSignedInUser(ana, free);
    mockPlaylist(ownPlaylist, [buildTrack(1, { url: null }), buildTrack(2)]);
    const { user } = await renderApp(path);
    expect(await order()).toEqual(['Play Track 1, needs a subscription', 'Play Track 2']);
    await user.click(screen.getByRole('button', { name: 'Play Track 2' }));
    await waitFor(() =>
      expect(usePlayer.getState().activeTrack).toMatchObject({ _id: toId(2), playlist: null }),
    );
  });

  it('moves a track by the arrow keys, retains the focus and announces the position', async () => {
    const orders = [
      [2, 1, 3],
      [2, 3, 1],
      [1, 2, 3],
    ];
    const requests = mockEndpoint(api.playlists.changePlaylist, () => {
      const order = orders[requests.length - 1] ?? [];
      mockPlaylist(
        ownPlaylist,
        order.map((number) => buildTrack(number)),
      );
      return changed;
    });
    const { user } = await renderApp(path);
    (await handle('Track 1')).focus();
    await user.keyboard('{ArrowDown}');
    expect(await order()).toEqual(['Play Track 2', 'Play Track 1', 'Play Track 3']);
    expect(await handle('Track 1')).toHaveFocus();
    expect(screen.getByText('Track 1 is now 2 of 3')).toBeInTheDocument();
    await user.keyboard('{End}{ArrowDown}{Home}');
    await waitFor(() => expect(requests).toHaveLength(3));
    expect(requests.map(({ body }) => body)).toEqual(
      [`${toId(1)}:${toId(2)}`, `${toId(1)}:${toId(3)}`, `${toId(1)}:`].map((move) => ({
        _id: ownPlaylist._id,
        origin: 'user',
        'articles.moved': move,
      })),
    );
  });

  it('[LIST-05] removes a track after a confirmation; the focused undo restores it in place', async () => {
    const requests = mockChanges();
    const { user } = await renderApp(path);
    await handle('Track 2');
    mockPlaylist(ownPlaylist, [buildTrack(1), buildTrack(3)]);
    await remove(user);
    expect(await order()).toEqual(['Play Track 1', 'Play Track 3']);
    const undo = screen.getByRole('button', { name: 'Undo' });
    expect(undo).toHaveFocus();
    mockPlaylist();
    await user.click(undo);
    expect(await order()).toEqual(['Play Track 1', 'Play Track 2', 'Play Track 3']);
    await waitFor(() => expect(requests).toHaveLength(2));
    const list = { _id: ownPlaylist._id, origin: 'user' };
    expect(requests.map(({ body }) => body)).toEqual([
      { ...list, 'articles.removed': toId(2) },
      { ...list, 'articles.added': toId(2), 'articles.moved': `${toId(2)}:${toId(1)}` },
    ]);
  });

  it('[LIST-05] offers the undo of a removal again that failed', async () => {
    mockChanges();
    const { user } = await renderApp(path);
    await handle('Track 2');
    mockPlaylist(ownPlaylist, [buildTrack(1), buildTrack(3)]);
    await remove(user);
    mockEndpoint(api.playlists.changePlaylist, 'unavailable');
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByText(/not available right now/)).toBeInTheDocument();
    expect(await screen.findByText('Track 2 was removed')).toBeInTheDocument();
    expect(await order()).toEqual(['Play Track 1', 'Play Track 3']);
    mockChanges();
    mockPlaylist();
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(async () => expect(await order()).toHaveLength(3));
  });

  it('shows the server’s list again when a change is refused', async () => {
    mockEndpoint(api.playlists.changePlaylist, 'not_found');
    const { user } = await renderApp(path);
    await remove(user);
    expect(await screen.findByText('We could not find this.')).toBeInTheDocument();
    await waitFor(async () => expect(await order()).toHaveLength(3));
    expect(screen.queryByText('Track 2 was removed')).not.toBeInTheDocument();
  });

  it('shows the new order while its tracks are loaded before the move is made', async () => {
    const { respond } = await startMove();
    // Another tab has added a track.
    mockPlaylist(ownPlaylist, [...tracks, buildTrack(4)]);
    act(() => void window.dispatchEvent(new Event('visibilitychange')));
    await screen.findByRole('button', { name: 'Play Track 4' });
    const newOrder = ['Play Track 2', 'Play Track 1', 'Play Track 3', 'Play Track 4'];
    expect(await order()).toEqual(newOrder);
    const docs = [2, 1, 3, 4].map((number) => buildTrack(number));
    const requests = mockEndpoint(api.playlists.findPlaylistContent, { docs, totalDocs: 4 });
    respond();
    await waitFor(() => expect(requests).toHaveLength(1));
    expect(await order()).toEqual(newOrder);
  });

  it('[LIST-07] shows the not-found page once another device has deleted it', async () => {
    const { user } = await renderApp(path);
    await list();
    for (const endpoint of [api.playlists.findPlaylist, api.playlists.findPlaylistContent])
      mockEndpoint(endpoint, 'not_found');
    mockEndpoint(api.playlists.changePlaylist, 'not_found');
    await remove(user);
    expect(await screen.findByText('We could not find this.')).toBeInTheDocument();
    expect(
      await screen.findByRole('heading', { name: 'There is nothing at this address' }),
    ).toBeInTheDocument();
  });

  it('lists a track again without the server when its removal fails', async () => {
    const { user } = await renderApp(path);
    await list();
    server.use(
      http.put('*/api/playlist', () => HttpResponse.error()),
      http.get(/\/api\/playlist\//, () => HttpResponse.error()),
    );
    await remove(user);
    expect(await screen.findByText(/^The network did not answer/)).toBeInTheDocument();
    expect(await order()).toEqual(['Play Track 1', 'Play Track 2', 'Play Track 3']);
  });

  it('lists a track again whose removal failed after another change', async () => {
    const { user, respond } = await startMove();
    await remove(user);
    expect(await order()).toEqual(['Play Track 1', 'Play Track 3']);
    server.use(
      http.put('*/api/playlist', () => HttpResponse.error()),
      http.get(/\/api\/playlist\//, () => HttpResponse.error()),
    );
    respond();
    expect(await screen.findByText(/^The network did not answer/)).toBeInTheDocument();
    expect(await order()).toEqual(['Play Track 2', 'Play Track 1', 'Play Track 3']);
  });

  it('shows a track whose removal failed also after the next change', async () => {
    const { user } = await renderApp(path);
    await list();
    const reloads = mockEndpoint(api.playlists.findPlaylistContent, 'unavailable', new Promise(() => {}));
    mockEndpoint(api.playlists.changePlaylist, 'unavailable');
    await remove(user);
    await waitFor(() => expect(reloads).toHaveLength(1));
    mockChanges();
    mockPlaylist(ownPlaylist, [buildTrack(2), buildTrack(3), buildTrack(1)]);
    (await handle('Track 1')).focus();
    await user.keyboard('{ArrowDown}');
    await waitFor(async () =>
      expect(await order()).toEqual(['Play Track 2', 'Play Track 3', 'Play Track 1']),
    );
  });

  it('[CAT-08] a track stays a favorite when its removal from the favorites fails', async () => {
    const liked = tracks.map((track) => ({ ...track, like: true }));
    mockPlaylist({ ...ownPlaylist, origin: 'auto' }, liked);
    mockEndpoint(api.playlists.changePlaylist, 'not_found');
    const { user } = await renderApp(path);
    await remove(user);
    expect(await screen.findByText('We could not find this.')).toBeInTheDocument();
    const unlike = { name: 'Remove Track 2 from your favorites' };
    expect(await screen.findByRole('button', unlike)).toBeInTheDocument();
  });

  it('[CAT-08] a removed favorite is none in the player at once', async () => {
    const favourites: Playlist = { ...ownPlaylist, origin: 'auto' };
    const liked = tracks.map((track) => ({ ...track, like: true }));
    mockPlaylist(favourites, liked);
    mockEndpoint(api.playlists.findPlaylists, { docs: [favourites], totalDocs: 1 });
    const { user } = await renderApp(path);
    await handle('Track 2');
    await user.click(await screen.findByRole('button', { name: 'Play Track 2' }));
    const player = within(await screen.findByRole('region', { name: 'Player' }));
    await player.findByRole('button', { name: 'Remove Track 2 from your favorites' });
    mockEndpoint(api.playlists.changePlaylist, { ...changed, origin: 'auto' });
    mockEndpoint(api.playlists.findPlaylists, 'unavailable', new Promise(() => {}));
    await remove(user);
    expect(await player.findByRole('button', { name: 'Add Track 2 to your favorites' })).toBeInTheDocument();
  });

  it('renames it and validates the name', async () => {
    const requests = mockEndpoint(api.playlists.changePlaylist, { ...changed, name: 'Evening walk' });
    const { user } = await renderApp(path);
    await choose(user, 'Rename');
    const name = await screen.findByRole('textbox', { name: 'Name' });
    await waitFor(() => expect(name).toHaveFocus());
    await user.clear(name);
    await user.type(name, 'Walk!{Enter}');
    expect(await screen.findByText('Only letters and numbers are allowed')).toBeInTheDocument();
    await user.clear(name);
    await user.type(name, 'Evening walk{Enter}');
    expect(await screen.findByRole('heading', { level: 1, name: 'Evening walk' })).toBeInTheDocument();
    expect(requests.map(({ body }) => body)).toEqual([
      { _id: ownPlaylist._id, origin: 'user', name: 'Evening walk' },
    ]);
  });

  it('sends nothing when the name is saved as it is', async () => {
    const requests = mockEndpoint(api.playlists.changePlaylist, changed);
    const { user } = await renderApp(path);
    await choose(user, 'Rename');
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), '{Enter}');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(requests).toHaveLength(0);
  });

  it('is renamed once its dialog was closed during the request, and another dialog stays open', async () => {
    const { promise: delay, resolve: respond } = createDeferred();
    const requests = mockEndpoint(api.playlists.changePlaylist, { ...changed, name: 'Evening walk' }, delay);
    const { user } = await renderApp(path);
    await choose(user, 'Rename');
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), ' in rain{Enter}');
    await waitFor(() => expect(requests).toHaveLength(1));
    await user.click(screen.getByRole('button', { name: 'Back' }));
    await choose(user, 'Delete');
    await screen.findByRole('dialog', { name: 'Delete “Morning walk”?' });
    respond();
    expect(await screen.findByRole('dialog', { name: 'Delete “Evening walk”?' })).toBeInTheDocument();
  });

  it('[LIST-05] deletes it after a confirmation and opens the library', async () => {
    const requests = mockEndpoint(api.playlists.deletePlaylist, { _id: ownPlaylist._id });
    const { user } = await renderApp(path);
    await choose(user, 'Delete');
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete “Morning walk”?' }));
    expect(requests).toHaveLength(0);
    await user.click(dialog.getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('“Morning walk” was deleted')).toBeInTheDocument();
    await waitFor(() => expect(getCurrentUrl()).toBe('/library'));

    const restored = mockEndpoint(api.playlists.restorePlaylist, ownPlaylist);
    mockEndpoint(api.playlists.findPlaylists, { docs: [ownPlaylist], totalDocs: 1 });
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    const main = within(screen.getByRole('main'));
    expect(await main.findAllByRole('link', { name: /^Morning walk/ })).not.toHaveLength(0);
    expect(restored).toHaveLength(1);
  });

  it('[LIST-05] offers the undo of a deletion again that failed', async () => {
    mockEndpoint(api.playlists.deletePlaylist, { _id: ownPlaylist._id });
    mockEndpoint(api.playlists.restorePlaylist, 'unavailable');
    const { user } = await renderApp(path);
    await confirmDeletion(user);
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByText(/not available right now/)).toBeInTheDocument();
    expect(await screen.findByText('“Morning walk” was deleted')).toBeInTheDocument();
    const restored = mockEndpoint(api.playlists.restorePlaylist, ownPlaylist);
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(restored).toHaveLength(1));
  });

  it('[LIST-05] a deletion that ends on another page leaves the user there', async () => {
    const { promise: delay, resolve: respond } = createDeferred();
    const requests = mockEndpoint(api.playlists.deletePlaylist, { _id: ownPlaylist._id }, delay);
    const { user } = await renderApp(path);
    await confirmDeletion(user);
    await waitFor(() => expect(requests).toHaveLength(1));
    await user.click(screen.getByRole('link', { name: 'Discover' }));
    await screen.findByText('Nothing to listen to yet');
    respond();
    expect(await screen.findByText('“Morning walk” was deleted')).toBeInTheDocument();
    // A navigation would have started with the message.
    expect(getCurrentUrl()).toBe('/discover');
  });

  it('[LIST-05] is deleted also where another device has deleted it before', async () => {
    mockEndpoint(api.playlists.deletePlaylist, 'not_found');
    const { user } = await renderApp(path);
    await confirmDeletion(user);
    expect(await screen.findByText('“Morning walk” was deleted')).toBeInTheDocument();
    await waitFor(() => expect(getCurrentUrl()).toBe('/library'));
  });

  it('[LIST-05] logs and shows a failed deletion, and stays on the page', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue();
    mockEndpoint(api.playlists.deletePlaylist, 'unavailable');
    const { user } = await renderApp(path);
    await confirmDeletion(user);
    expect(await screen.findByText(/not available right now/)).toBeInTheDocument();
    expect(log).toHaveBeenCalledWith('"Morning walk" was not deleted', expect.any(Error));
    expect(getCurrentUrl()).toBe(path);
  });

  it('a system playlist has a translated title and cannot be edited', async () => {
    const titles = { en: 'Short stories', es: 'Cuentos' };
    mockPlaylist({ ...ownPlaylist, origin: 'system', name: 'Stories', titles });
    await renderApp(path);
    expect(await screen.findByRole('heading', { level: 1, name: 'Short stories' })).toBeInTheDocument();
    await screen.findByRole('button', { name: 'Play Track 1' });
    expect(screen.queryByRole('button', { name: /^(Move|Options)/ })).not.toBeInTheDocument();
  });

  it('[CAT-09] shows an empty state', async () => {
    mockPlaylist({ ...ownPlaylist, totalTracks: 0, totalDuration: 0 }, []);
    await renderApp(path);
    expect(await screen.findByText('Nothing in here yet')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Play all' })).not.toBeInTheDocument();
  });

  it.each(['not_found', 'invalid_request'] as const)(
    '[LIST-07] %s shows the not-found page',
    async (code) => {
      mockEndpoint(api.playlists.findPlaylist, code);
      await renderApp(path);
      expect(
        await screen.findByRole('heading', { name: 'There is nothing at this address' }),
      ).toBeInTheDocument();
    },
  );
});
