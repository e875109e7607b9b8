import { api } from '@escucho/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { buildTrack, toId } from '../features/player/testing/fixtures.ts';
import { clearLikes } from '../features/playlists/favourites.ts';
import { mockShellEndpoints, mockSignedInUser, renderApp } from '../testing/app.tsx';
import { buildSystemPlaylist } from '../testing/playlists.ts';
import { mockEndpoint, server } from '../testing/server.ts';

const stories = buildSystemPlaylist(902, 'Stories', { en: 'Stories', es: 'Cuentos' });

beforeEach(() => {
  clearLikes();
  mockSignedInUser();
  mockShellEndpoints();
  mockEndpoint(api.catalogue.discover, {
    continueListening: [],
    rows: [{ playlist: stories, tracks: [buildTrack(3), buildTrack(4, { like: true })] }],
  });
});

const heart = (name: string) => screen.findByRole('button', { name });
const add = 'Add Track 3 to your favorites';
const remove = 'Remove Track 3 from your favorites';

describe('[CAT-08] the heart on a track', () => {
  it('adds it at once and says so, before the server has answered', async () => {
    const heard = mockEndpoint(
      api.favourites.addFavourite,
      { _id: toId(3), like: true },
      new Promise(() => {}),
    );
    const { user } = await renderApp('/discover');
    await user.click(await heart(add));
    expect(await heart(remove)).toBeTruthy();
    expect(screen.getByText('Added to your favorites')).toBeTruthy();
    await waitFor(() => expect(heard[0]?.url.pathname).toBe(`/api/favourites/${toId(3)}`));
  });

  it('removes one that is there, and undo brings it back', async () => {
    const removed = mockEndpoint(api.favourites.removeFavourite, { _id: toId(4), like: false });
    const added = mockEndpoint(api.favourites.addFavourite, { _id: toId(4), like: true });
    const { user } = await renderApp('/discover');
    await user.click(await heart('Remove Track 4 from your favorites'));
    const said = (await screen.findByText('Removed from your favorites')).closest('li');
    await waitFor(() => expect(removed).toHaveLength(1));
    await user.click(within(said ?? document.body).getByRole('button', { name: 'Undo' }));
    expect(await heart('Remove Track 4 from your favorites')).toBeTruthy();
    await waitFor(() => expect(added).toHaveLength(1));
  });

  it('takes itself back where the server does not agree, and says why', async () => {
    server.use(http.put('*/api/favourites/:id', () => HttpResponse.error()));
    const { user } = await renderApp('/discover');
    await user.click(await heart(add));
    expect(await screen.findByText(/^The network did not answer/)).toBeTruthy();
    expect(await heart(add)).toBeTruthy();
  });

  it('of quick presses the last one holds, and calls go one after another', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const added = mockEndpoint(api.favourites.addFavourite, { _id: toId(3), like: true }, held);
    const removed = mockEndpoint(api.favourites.removeFavourite, { _id: toId(3), like: false });
    const { user } = await renderApp('/discover');
    await user.click(await heart(add));
    await user.click(await heart(remove));
    await waitFor(() => expect(added).toHaveLength(1));
    expect(removed).toHaveLength(0);
    release();
    await waitFor(() => expect(removed).toHaveLength(1));
    expect(await heart(add)).toBeTruthy();
  });

  it('stands in the menu of a card too', async () => {
    mockEndpoint(api.favourites.addFavourite, { _id: toId(3), like: true });
    const { user } = await renderApp('/discover');
    await user.click(await heart('More for Track 3'));
    await user.click(await screen.findByRole('menuitem', { name: 'Add to favorites' }));
    expect(await heart(remove)).toBeTruthy();
  });
});
