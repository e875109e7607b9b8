// Loaded before the tests, so that none of them waits for it.
import '../containers/signed-in-services.tsx';
import { api, type Track } from '@escucho/contracts';
import { onlineManager } from '@tanstack/react-query';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { buildTrack, toId } from '#features/player/testing/fixtures.ts';
import { useToasts } from '#shared/ui/toast.tsx';
import { ana, findButton, free, mockSignedInUser, renderApp } from '#testing/app.tsx';
import { buildPlaylist } from '#testing/builders.ts';
import { createDeferred } from '#testing/deferred.ts';
import { mockEndpoint, server } from '#testing/server.ts';

const playlist = buildPlaylist(700, { totalTracks: 3 });
const path = `/playlist/${playlist._id}`;
const tracks = [1, 2, 3].map((number) => buildTrack(number));

const getQueue = (): string[] =>
  JSON.parse(localStorage.getItem('player-storage') ?? '{"state":{"queue":[]}}').state.queue.map(
    ({ _id }: { _id: string }) => _id,
  );

const getToasts = () => useToasts.getState().toasts.map(({ text }) => text);

function mockPlaylist(docs: readonly Track[] = tracks, totalDocs = docs.length) {
  mockEndpoint(api.playlists.findPlaylist, playlist);
  return mockEndpoint(api.playlists.findPlaylistContent, { docs: [...docs], totalDocs });
}

const goOffline = () => act(() => onlineManager.setOnline(false));

/** Opens the playlist, and plays its first track. */
async function playFirst() {
  const { user } = await renderApp(path);
  await user.click(await findButton('Play Track 1'));
  await findButton('Pause Track 1');
  return user;
}

beforeEach(() => {
  mockSignedInUser();
  mockPlaylist();
});

describe('[LIST-06] the buttons of a playlist', () => {
  it('play all from the first, and shuffle without losing a track', async () => {
    const { user } = await renderApp(path);
    await user.click(await findButton('Play all'));
    await waitFor(() => expect(getQueue()).toEqual([toId(1), toId(2), toId(3)]));
    fireEvent.click(screen.getByRole('button', { name: 'Shuffle' }));
    await waitFor(() => expect(getQueue().toSorted()).toEqual([toId(1), toId(2), toId(3)]));
  });

  it.each([
    ['what suits the learner', 'B1', [3, 4]],
    ['what is alike where nothing suits the learner', 'C2', [1, 2]],
  ] as const)('Shuffle of a system playlist plays %s', async (_, level, played) => {
    mockSignedInUser({ ...ana, learning: { language: 'es', level } });
    mockPlaylist([1, 2, 3, 4].map((number) => buildTrack(number, { language: number > 2 ? 'es' : 'en' })));
    mockEndpoint(api.playlists.findPlaylist, { ...playlist, origin: 'system' });
    const { user } = await renderApp(path);
    vi.spyOn(Math, 'random').mockReturnValue(0);
    await user.click(await findButton('Shuffle'));
    await waitFor(() => expect(getQueue()).toEqual(played.map(toId)));
  });

  it('[PLAY-04] Shuffle without a subscription leaves what plays', async () => {
    mockSignedInUser(ana, free);
    mockPlaylist([buildTrack(1), buildTrack(2, { url: null })]);
    const user = await playFirst();
    vi.spyOn(Math, 'random').mockReturnValue(0);
    await user.click(await findButton('Shuffle'));
    expect(await screen.findByRole('dialog')).toBeInTheDocument();
    expect(getQueue()).toEqual([toId(1)]);
  });

  it.each(['Play all', 'Shuffle'])('%s plays the tracks once they are loaded', async (name) => {
    const { promise: delay, resolve: respond } = createDeferred();
    mockEndpoint(api.playlists.findPlaylistContent, { docs: tracks, totalDocs: 3 }, delay);
    const { user } = await renderApp(path);
    await user.click(await findButton(name));
    expect(getQueue()).toEqual([]);
    respond();
    await waitFor(() => expect(getQueue().toSorted()).toEqual([toId(1), toId(2), toId(3)]));
  });

  /** Mocks the playlist's pages; the second one is sent once the returned function is called. */
  function mockSlowSecondPage(): () => void {
    const { promise: delay, resolve: respond } = createDeferred();
    server.use(
      http.get('*/api/playlist/find-playlist-content/:id', async ({ request }) => {
        const isFirst = new URL(request.url).searchParams.get('page') === '1';
        if (!isFirst) await delay;
        return HttpResponse.json({ docs: isFirst ? tracks.slice(0, 2) : tracks.slice(2), totalDocs: 3 });
      }),
    );
    return respond;
  }

  it.each(['Play all', 'Shuffle'])('%s leaves what is played while the tracks load', async (name) => {
    const respond = mockSlowSecondPage();
    const { user } = await renderApp(path);
    await findButton('Play Track 2');
    vi.spyOn(Math, 'random').mockReturnValue(0);
    await user.click(await findButton(name));
    await user.click(await findButton('Play Track 2'));
    await findButton('Pause Track 2');
    respond();
    await findButton('Play Track 3');
    expect(await findButton('Pause Track 2')).toBeInTheDocument();
    expect(getQueue()).toEqual([toId(1), toId(2)]);
  });

  it('Shuffle leaves what the player’s bar resumes while the tracks load', async () => {
    const respond = mockSlowSecondPage();
    const user = await playFirst();
    const bar = within(screen.getByRole('region', { name: 'Player' }));
    await user.click(await bar.findByRole('button', { name: 'Pause' }));
    vi.spyOn(Math, 'random').mockReturnValue(0);
    await user.click(await findButton('Shuffle'));
    await user.click(await bar.findByRole('button', { name: 'Play' }));
    respond();
    await findButton('Play Track 3');
    expect(await findButton('Pause Track 1')).toBeInTheDocument();
    expect(getQueue()).toEqual([toId(1), toId(2)]);
  });

  it('Shuffle replaces Play all while the tracks load', async () => {
    const respond = mockSlowSecondPage();
    const { user } = await renderApp(path);
    await user.click(await findButton('Play all'));
    vi.spyOn(Math, 'random').mockReturnValue(0.99);
    await user.click(await findButton('Shuffle'));
    respond();
    await waitFor(() => expect(getQueue()).toEqual([toId(3), toId(2), toId(1)]));
    expect(await findButton('Pause Track 3')).toBeInTheDocument();
  });

  it.each(['Play all', 'Shuffle'])('%s says why the tracks did not load', async (name) => {
    mockEndpoint(api.playlists.findPlaylistContent, 'too_many_requests');
    const { user } = await renderApp(path);
    await user.click(await findButton(name));
    await waitFor(() => expect(getToasts()).toEqual(['Too many tries. Please wait a moment.']));
    expect(getQueue()).toEqual([]);
  });

  it.each(['Play all', 'Shuffle'])('%s says that there is no network; nothing plays later', async (name) => {
    const unanswered = new Promise<void>(() => {});
    mockEndpoint(api.playlists.findPlaylistContent, { docs: tracks, totalDocs: 3 }, unanswered);
    const { user } = await renderApp(path);
    await user.click(await findButton(name));
    goOffline();
    await waitFor(() => expect(getToasts()).toEqual([expect.stringMatching(/^The network did not answer/)]));
    mockPlaylist();
    act(() => onlineManager.setOnline(true));
    expect(getQueue()).toEqual([]);
  });

  it('Play all without a network plays what is loaded; nothing more comes later', async () => {
    mockPlaylist(tracks.slice(0, 2), 3);
    const { user } = await renderApp(path);
    await findButton('Play Track 2');
    goOffline();
    await user.click(await findButton('Play all'));
    await waitFor(() => expect(getQueue()).toEqual([toId(1), toId(2)]));
    await user.click(screen.getByRole('link', { name: 'Discover' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Play all' })).not.toBeInTheDocument());
    const requests = mockPlaylist(tracks.slice(2), 3);
    act(() => onlineManager.setOnline(true));
    await screen.findByText('Nothing to listen to yet');
    expect([requests.length, getQueue()]).toEqual([0, [toId(1), toId(2)]]);
  });
});
