import { api } from '@escucho/contracts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { usePlayer } from '#features/player/engine/store.ts';
import { play } from '#features/player/player.ts';
import { buildTrack, listSource, toId } from '#features/player/testing/fixtures.ts';
import { navigate } from '#shared/location.tsx';
import {
  activeSubscription,
  bea,
  findButton,
  getCurrentUrl,
  mockSignedInUser,
  renderApp,
  storeInOtherTab,
} from '#testing/app.tsx';
import { buildSystemPlaylist } from '#testing/builders.ts';
import { createDeferred } from '#testing/deferred.ts';
import { storeSession } from '#testing/identity.ts';
import { mockEndpoint, server } from '#testing/server.ts';

const systemPlaylist = buildSystemPlaylist(902, 'Stories', { en: 'Stories', es: 'Cuentos' });

beforeEach(() => {
  mockSignedInUser();
  mockEndpoint(api.catalogue.discover, {
    continueListening: [],
    rows: [{ playlist: systemPlaylist, tracks: [buildTrack(3), buildTrack(4, { like: true })] }],
  });
});

const add = 'Add Track 3 to your favorites';
const remove = 'Remove Track 3 from your favorites';

describe('[CAT-08] the like button of a track', () => {
  it('is added at once and confirmed, before the server responds', async () => {
    const requests = mockEndpoint(
      api.playlists.addFavourite,
      { _id: toId(3), like: true },
      new Promise(() => {}),
    );
    const { user } = await renderApp('/discover');
    await user.click(await findButton(add));
    expect(await findButton(remove)).toBeInTheDocument();
    expect(screen.getByText('Added to your favorites')).toBeInTheDocument();
    await waitFor(() => expect(requests[0]?.url.pathname).toBe(`/api/favourites/${toId(3)}`));
  });

  it('a favourite is removed, and undo restores it', async () => {
    const removed = mockEndpoint(api.playlists.removeFavourite, { _id: toId(4), like: false });
    const added = mockEndpoint(api.playlists.addFavourite, { _id: toId(4), like: true });
    const { user } = await renderApp('/discover');
    await user.click(await findButton('Remove Track 4 from your favorites'));
    const toast = (await screen.findByText('Removed from your favorites')).closest('li');
    await waitFor(() => expect(removed).toHaveLength(1));
    await user.click(within(toast ?? document.body).getByRole('button', { name: 'Undo' }));
    expect(await findButton('Remove Track 4 from your favorites')).toBeInTheDocument();
    await waitFor(() => expect(added).toHaveLength(1));
  });

  it('in the player, undo is of its own track also once the next one plays', async () => {
    mockEndpoint(api.playlists.addFavourite, { _id: toId(3), like: true });
    mockEndpoint(api.listening.saveProgress, { track: toId(3), progress: 0 });
    const removed = mockEndpoint(api.playlists.removeFavourite, { _id: toId(3), like: false });
    const { user } = await renderApp('/discover');
    act(() => play(listSource, [buildTrack(3), buildTrack(4)], 0));
    const player = within(await screen.findByRole('region', { name: 'Player' }));
    await user.click(await player.findByRole('button', { name: add }));
    const undo = await findButton('Undo');
    await user.click(player.getByRole('button', { name: 'Next' }));
    await player.findByRole('button', { name: /Track 4 .*your favorites/ });
    await user.click(undo);
    await waitFor(() =>
      expect(removed.map(({ url }) => url.pathname)).toEqual([`/api/favourites/${toId(3)}`]),
    );
  });

  it('is reverted and shows an error if the request fails', async () => {
    server.use(http.put('*/api/favourites/:id', () => HttpResponse.error()));
    const { user } = await renderApp('/discover');
    await user.click(await findButton(add));
    expect(await screen.findByText(/^The network did not answer/)).toBeInTheDocument();
    expect(await findButton(add)).toBeInTheDocument();
    expect(screen.queryByText('Added to your favorites')).not.toBeInTheDocument();
  });

  it('shows a favourite whose response was lost once the list is loaded again', async () => {
    let isStored = false;
    mockEndpoint(api.playlists.findPlaylist, systemPlaylist);
    mockEndpoint(api.playlists.findPlaylistContent, () => ({
      docs: [buildTrack(3, { like: isStored })],
      totalDocs: 1,
    }));
    server.use(
      http.put('*/api/favourites/:id', () => {
        isStored = true;
        return HttpResponse.error();
      }),
    );
    const { user } = await renderApp(`/playlist/${systemPlaylist._id}`);
    await user.click(await findButton(add));
    expect(await screen.findByText(/^The network did not answer/)).toBeInTheDocument();
    expect(await findButton(remove)).toBeInTheDocument();
  });

  it('of quick presses the last one wins, and requests are sent in order', async () => {
    const { promise: delay, resolve: release } = createDeferred();
    const added = mockEndpoint(api.playlists.addFavourite, { _id: toId(3), like: true }, delay);
    const removed = mockEndpoint(api.playlists.removeFavourite, { _id: toId(3), like: false });
    const { user } = await renderApp('/discover');
    await user.click(await findButton(add));
    await user.click(await findButton(remove));
    await waitFor(() => expect(added).toHaveLength(1));
    expect(removed).toHaveLength(0);
    release();
    await waitFor(() => expect(removed).toHaveLength(1));
    expect(await findButton(add)).toBeInTheDocument();
  });

  it('a failed press leaves the confirmation of the next press', async () => {
    const { promise: delay, resolve: release } = createDeferred();
    mockEndpoint(api.playlists.addFavourite, 'unavailable', delay);
    mockEndpoint(api.playlists.removeFavourite, { _id: toId(3), like: false }, new Promise(() => {}));
    const { user } = await renderApp('/discover');
    await user.click(await findButton(add));
    await user.click(await findButton(remove));
    release();
    await waitFor(() => expect(screen.queryByText('Added to your favorites')).not.toBeInTheDocument());
    expect(screen.getByText('Removed from your favorites')).toBeInTheDocument();
  });

  it('shows what another device has chosen since, once the list is loaded again', async () => {
    mockEndpoint(api.playlists.findPlaylist, systemPlaylist);
    const lists = mockEndpoint(api.playlists.findPlaylistContent, { docs: [buildTrack(3)], totalDocs: 1 });
    mockEndpoint(api.playlists.addFavourite, { _id: toId(3), like: true });
    const { user } = await renderApp(`/playlist/${systemPlaylist._id}`);
    await user.click(await findButton(add));
    // The other device has removed it before the list is loaded again.
    await waitFor(() => expect(lists).toHaveLength(2));
    expect(await findButton(add)).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: remove })).not.toBeInTheDocument();
  });

  it('stays as chosen on a page that is not loaded again', async () => {
    mockEndpoint(api.playlists.addFavourite, { _id: toId(3), like: true });
    mockEndpoint(api.catalogue.readArticle, 'not_found');
    const { user } = await renderApp('/discover');
    await user.click(await findButton(add));
    await findButton(remove);
    act(() => navigate('/library'));
    await screen.findByRole('region', { name: 'History' });
    act(() => navigate('/discover'));
    expect(await findButton(remove)).toBeInTheDocument();
  });

  it('is not shown to the next user where the session ends on a public page', async () => {
    mockEndpoint(api.playlists.addFavourite, { _id: toId(3), like: true });
    const { user } = await renderApp('/discover');
    await user.click(await findButton(add));
    await findButton(remove);
    act(() => navigate('/terms'));
    await screen.findByRole('heading', { level: 1, name: 'Terms of use' });
    act(() => storeInOtherTab(null));
    const profile = { user: bea, subscription: activeSubscription };
    mockEndpoint(api.auth.me, profile);
    storeSession();
    act(() => storeInOtherTab(profile));
    act(() => navigate('/discover'));
    await screen.findByRole('button', { name: 'BR · Your account' });
    expect(await findButton(add)).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: remove })).not.toBeInTheDocument();
  });

  it('cannot be undone by the next user', async () => {
    mockEndpoint(api.playlists.addFavourite, { _id: toId(3), like: true });
    const { user } = await renderApp('/discover');
    await user.click(await findButton(add));
    await findButton('Undo');
    const profile = { user: bea, subscription: activeSubscription };
    mockEndpoint(api.auth.me, profile);
    act(() => storeInOtherTab(profile));
    await findButton('BR · Your account');
    expect(screen.queryByRole('button', { name: 'Undo' })).not.toBeInTheDocument();
  });

  it('is in the menu of a card, too', async () => {
    mockEndpoint(api.playlists.addFavourite, { _id: toId(3), like: true });
    const { user } = await renderApp('/discover');
    await user.click(await findButton('More for Track 3'));
    await user.click(await screen.findByRole('menuitem', { name: 'Add to favorites' }));
    expect(await findButton(remove)).toBeInTheDocument();
  });
});

describe('the menu of a track', () => {
  const openMenu = async () => {
    const { user } = await renderApp('/discover');
    await user.click(await findButton('More for Track 3'));
    return user;
  };

  it('[PLAY-07] adds it to the queue, and undo removes it', async () => {
    const user = await openMenu();
    await user.click(await screen.findByRole('menuitem', { name: 'Add to queue' }));
    const toast = (await screen.findByText('Track 3 is in the queue')).closest('li');
    await waitFor(() => expect(usePlayer.getState().queue.map(({ _id }) => _id)).toEqual([toId(3)]));
    await user.click(within(toast ?? document.body).getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(usePlayer.getState().queue).toEqual([]));
  });

  it('opens its article', async () => {
    const user = await openMenu();
    mockEndpoint(api.catalogue.readArticle, 'not_found');
    await user.click(await screen.findByRole('menuitem', { name: 'Go to article' }));
    await waitFor(() => expect(getCurrentUrl()).toBe(`/articles/read/${toId(3)}`));
  });

  it('copies the article’s address where the device cannot share', async () => {
    const user = await openMenu();
    await user.click(await screen.findByRole('menuitem', { name: 'Share' }));
    expect(await screen.findByText('Link copied')).toBeInTheDocument();
    expect(await navigator.clipboard.readText()).toBe(`${location.origin}/articles/read/${toId(3)}`);
  });
});
