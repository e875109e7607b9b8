import { api } from '@escucho/contracts';
import { onlineManager } from '@tanstack/react-query';
import { act, screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { cacheDiscover } from '#features/catalogue/discover-cache.ts';
import type { Row } from '#features/catalogue/model/discover.ts';
import { usePlayer } from '#features/player/engine/store.ts';
import { buildArticle, buildEntry, buildTrack, toId } from '#features/player/testing/fixtures.ts';
import { ana, findButton, free, mockAudio, mockSignedInUser, renderApp } from '#testing/app.tsx';
import { buildSystemPlaylist } from '#testing/builders.ts';
import { mockEndpoint, server } from '#testing/server.ts';

const latest: Row = {
  playlist: buildSystemPlaylist(901, 'Latest articles', { en: 'Latest articles', es: 'Lo más reciente' }),
  tracks: [buildTrack(1), buildTrack(2)],
};
const otherRow: Row = {
  playlist: buildSystemPlaylist(902, 'Stories', { en: 'Short stories', es: 'Cuentos' }),
  tracks: [buildTrack(3), buildTrack(4, { title: 'The Long Way Home' })],
};
const locked = ({ playlist, tracks }: Row, open: number): Row => ({
  playlist,
  tracks: tracks.map((track, index) => (index < open ? track : { ...track, url: null })),
});

let audio: ReturnType<typeof mockAudio>;
beforeEach(() => {
  audio = mockAudio();
  mockSignedInUser();
  mockEndpoint(api.catalogue.findArticle, buildArticle(1));
  mockEndpoint(api.catalogue.discover, {
    continueListening: [buildEntry(4, { title: 'The Long Way Home' })],
    rows: [latest, otherRow],
  });
});

/** Records the progress that is sent. */
const mockProgress = () => mockEndpoint(api.listening.saveProgress, { track: toId(1), progress: 0 });
const getCauses = (requests: { body: unknown }[]) =>
  requests.map(({ body }) => api.listening.saveProgress.body.parse(body).cause);
const page = () => within(screen.getByRole('main'));
const player = () => within(screen.getByRole('region', { name: 'Player' }));

describe('Discover', () => {
  it('[CAT-02] shows a greeting, continue listening and a section per system playlist', async () => {
    await renderApp('/discover');
    expect(await screen.findByRole('heading', { level: 1, name: /^Good .*, Ana$/ })).toBeInTheDocument();
    await screen.findByRole('heading', { name: 'Latest articles' });
    const rows = screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent);
    expect(rows).toEqual(['Continue listening', 'Latest articles', 'Short stories']);
    expect(screen.getByText('1 min left · Ana Ruiz')).toBeInTheDocument();
  });

  it('[CAT-02] the scroll buttons of a section can have the focus at its end', async () => {
    await renderApp('/discover');
    const forward = await screen.findByRole('button', { name: 'Scroll Latest articles forward' });
    expect(forward).toHaveAttribute('aria-disabled', 'true');
    forward.focus();
    expect(forward).toHaveFocus();
  });

  it('[CAT-02] titles the sections in the user’s language', async () => {
    vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['es-EC', 'en']);
    await renderApp('/discover');
    expect(await screen.findByRole('heading', { name: 'Cuentos' })).toBeInTheDocument();
    expect(screen.getByRole('heading', { name: 'Seguir escuchando' })).toBeInTheDocument();
  });

  it('[CAT-02] offers tracks at the user’s level after the first section', async () => {
    mockEndpoint(api.catalogue.discover, {
      continueListening: [],
      rows: [latest, otherRow],
      atLevel: { level: 'B1', tracks: [buildTrack(8)] },
    });
    await renderApp('/discover');
    await screen.findByRole('heading', { name: 'Next at your level, B1' });
    const rows = page().getAllByRole('heading', { level: 2 });
    expect(rows.map((row) => row.textContent)).toEqual([
      'Latest articles',
      'Next at your level, B1',
      'Short stories',
    ]);
  });

  it('[CAT-02] the first play does not push the sections down; the next visit continues it', async () => {
    mockProgress();
    mockEndpoint(api.catalogue.discover, { continueListening: [], rows: [latest] });
    const { user } = await renderApp('/discover');
    await user.click(await findButton('Play Track 1'));
    await audio.start();
    await user.click(await player().findByRole('button', { name: 'Pause' }));
    await waitFor(() => expect(localStorage.getItem('continue-listening-storage')).toContain(toId(1)));
    expect(screen.queryByRole('heading', { name: 'Continue listening' })).not.toBeInTheDocument();
    await user.click(screen.getByRole('link', { name: 'Library' }));
    expect(await page().findByRole('heading', { name: 'Continue listening' })).toBeInTheDocument();
  });

  it('[CAT-02] plays a section as a source by its name', async () => {
    mockProgress();
    const { user } = await renderApp('/discover');
    await user.click(await findButton('Play Track 3'));
    await audio.start();
    expect(audio.element().src).toMatch(/\/media\/3\.mp3$/);
    expect(await player().findByText('Track 3')).toBeInTheDocument();
    const { state } = JSON.parse(localStorage.getItem('player-storage') ?? '');
    expect(
      state.queue.map(({ source, playlist }: { source: string; playlist: string }) => [source, playlist]),
    ).toEqual([
      ['Stories', toId(902)],
      ['Stories', toId(902)],
    ]);
    await waitFor(() => expect(page().getAllByRole('button', { name: 'Pause Track 3' })).toHaveLength(2));
  });

  it('[CAT-09] shows a skeleton while loading', async () => {
    server.use(http.get('*/api/catalogue/discover', () => new Promise<never>(() => {})));
    await renderApp('/discover');
    expect(await screen.findByText('Loading...')).toBeInTheDocument();
  });

  it('[CAT-09] shows an empty state', async () => {
    mockEndpoint(api.catalogue.discover, { continueListening: [], rows: [{ ...latest, tracks: [] }] });
    await renderApp('/discover');
    expect(await screen.findByText('Nothing to listen to yet')).toBeInTheDocument();
    expect(screen.queryByRole('heading', { name: 'Latest articles' })).not.toBeInTheDocument();
  });

  it('[CAT-09] shows an error and retries', async () => {
    mockEndpoint(api.catalogue.discover, 'invalid_request');
    const { user } = await renderApp('/discover');
    expect(await screen.findByRole('alert')).toHaveTextContent('Discover did not load');
    mockEndpoint(api.catalogue.discover, { continueListening: [], rows: [latest] });
    await user.click(await findButton('Try again'));
    expect(await screen.findByRole('heading', { name: 'Latest articles' })).toBeInTheDocument();
  });

  it('[CAT-02] [CAT-09] shows the cached response on the next visit, even when loading fails', async () => {
    cacheDiscover(ana._id, { continueListening: [], rows: [latest] }, Date.now());
    mockEndpoint(api.catalogue.discover, 'invalid_request');
    const { user } = await renderApp('/discover');
    expect(await screen.findByRole('heading', { name: 'Latest articles' })).toBeInTheDocument();
    expect(await screen.findByRole('alert')).toHaveTextContent('Discover did not load');
    mockEndpoint(api.catalogue.discover, { continueListening: [], rows: [otherRow] });
    await user.click(await findButton('Try again'));
    await waitFor(() =>
      expect(screen.queryByRole('heading', { name: 'Latest articles' })).not.toBeInTheDocument(),
    );
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  it('[CAT-09] shows when it is offline and resumes with the network', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    await renderApp('/discover');
    expect(await screen.findByRole('alert')).toHaveTextContent('The network did not answer');
    act(() => onlineManager.setOnline(true));
    expect(await screen.findByRole('heading', { name: 'Latest articles' })).toBeInTheDocument();
  });

  it('moves the focus along a section by the arrow keys', async () => {
    const { user } = await renderApp('/discover');
    const first = await findButton('Play Track 1');
    act(() => first.focus());
    await user.keyboard('{ArrowRight}');
    expect(await findButton('Play Track 2')).toHaveFocus();
  });

  it('keeps the focus in the open menu of a track when an arrow key is pressed', async () => {
    const { user } = await renderApp('/discover');
    await user.click(await findButton('More for Track 1'));
    const item = await screen.findByRole('menuitem', { name: 'Play next' });
    await waitFor(() => expect(item).toHaveFocus());
    await user.keyboard('{ArrowRight}');
    expect(item).toHaveFocus();
  });
});

describe('continue listening', () => {
  it('[PLAY-05] resumes at the saved position and sends progress', async () => {
    const requests = mockProgress();
    const { user } = await renderApp('/discover');
    await user.click(await findButton('Resume The Long Way Home'));
    await audio.start();
    expect(audio.element().currentTime).toBe(40);
    await user.click(await player().findByRole('button', { name: 'Pause' }));
    await waitFor(() => expect(getCauses(requests)).toEqual(['play', 'pause']));
  });

  it('[PLAY-05] shows a track at once when it is paused', async () => {
    mockProgress();
    const { user } = await renderApp('/discover');
    await user.click(await findButton('Play Track 3'));
    await audio.start();
    await user.click(await player().findByRole('button', { name: 'Pause' }));
    expect(await findButton('Resume Track 3')).toBeInTheDocument();
  });

  it('removes an entry and restores it by undo', async () => {
    const requests = mockProgress();
    const { user } = await renderApp('/discover');
    await user.click(await findButton('Remove The Long Way Home from continue listening'));
    expect(screen.queryByRole('button', { name: 'Resume The Long Way Home' })).not.toBeInTheDocument();
    expect(await findButton('Undo')).toHaveFocus();
    await user.click(await findButton('Undo'));
    expect(await findButton('Resume The Long Way Home')).toBeInTheDocument();
    await waitFor(() => expect(getCauses(requests)).toEqual(['skip', 'seek']));
  });
});

describe('without a subscription', () => {
  beforeEach(() => {
    mockSignedInUser(ana, free);
    mockEndpoint(api.catalogue.discover, {
      continueListening: [],
      rows: [locked(latest, 1), locked(otherRow, 0)],
    });
  });

  it('[PLAY-04] plays the first track of Latest alone', async () => {
    mockProgress();
    const { user } = await renderApp('/discover');
    await user.click(await findButton('Play Track 1'));
    await audio.start();
    expect(await player().findByText('Track 1')).toBeInTheDocument();
    expect(JSON.parse(localStorage.getItem('player-storage') ?? '').state.queue).toHaveLength(1);
  });

  it('[PLAY-04] plays what is free at the user’s level by itself, in any row', async () => {
    mockEndpoint(api.catalogue.discover, { continueListening: [], rows: [locked(latest, 2)] });
    const { user } = await renderApp('/discover');
    await user.click(await findButton('Play Track 2'));
    await waitFor(() =>
      expect(usePlayer.getState()).toMatchObject({ activeTrack: { title: 'Track 2', playlist: null } }),
    );
  });

  it('[PLAY-04] other tracks are locked and open the subscribe dialog, empty without billing', async () => {
    const { user } = await renderApp('/discover');
    await user.click(await findButton('Play Track 3, needs a subscription'));
    const modal = within(await screen.findByRole('dialog', { name: 'Listen to everything' }));
    expect(await modal.findByText(/No plan can be bought/)).toBeInTheDocument();
    await user.click(modal.getByRole('button', { name: 'Keep exploring' }));
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(player().getByText('Nothing playing')).toBeInTheDocument();
  });
});

it('[PLAY-04] locks tracks when the server refuses playback', async () => {
  mockEndpoint(api.listening.grantAudio, 'subscription_required');
  mockEndpoint(api.catalogue.discover, { continueListening: [], rows: [locked(otherRow, 0), latest] });
  const { user } = await renderApp('/discover');
  await findButton('Play Track 3');
  mockEndpoint(api.subscription.findSubscription, 'unavailable');
  mockEndpoint(api.auth.me, { user: ana, subscription: free });
  const rows = [locked(otherRow, 0), locked(latest, 1)];
  mockEndpoint(api.catalogue.discover, { continueListening: [], rows });
  await user.click(await findButton('Play Track 3'));
  expect(await screen.findByRole('dialog', { name: 'Listen to everything' })).toBeInTheDocument();
  expect(await findButton('Play Track 3, needs a subscription')).toBeInTheDocument();
  expect(await findButton('Play Track 2, needs a subscription')).toBeInTheDocument();
});
