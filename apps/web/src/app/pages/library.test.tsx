import { api } from '@escucho/contracts';
import { onlineManager } from '@tanstack/react-query';
import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { buildEntry, toId } from '#features/player/testing/fixtures.ts';
import { getCurrentUrl, mockAudio, mockSignedInUser, renderApp } from '#testing/app.tsx';
import { buildPlaylist } from '#testing/builders.ts';
import { createDeferred } from '#testing/deferred.ts';
import { mockEndpoint, server } from '#testing/server.ts';

const entry = { ...buildEntry(5), listenedAt: '2026-11-20T10:00:00.000Z' };
const docs = [5, 6, 7].map((number) => ({ ...buildEntry(number), listenedAt: entry.listenedAt }));

beforeEach(() => {
  mockSignedInUser();
  mockEndpoint(api.catalogue.discover, { continueListening: [buildEntry(4)], rows: [] });
  mockEndpoint(api.listening.findHistory, { docs: [entry], totalDocs: 1 });
});

/** Mocks the user's playlists, of which there is one, and the favourites. */
function answerPlaylists(own = buildPlaylist(700)): void {
  server.use(
    http.get('*/api/playlist/find-paginated', ({ request }) => {
      const { origin } = JSON.parse(new URL(request.url).searchParams.get('filter') ?? '{}');
      const found = origin === 'auto' ? buildPlaylist(800, { name: 'default', origin }) : own;
      return HttpResponse.json({ docs: [found], totalDocs: 1 });
    }),
  );
}

const goOffline = () => act(() => onlineManager.setOnline(false));

/** Opens the library. Returns the queries of the history, and the names of its entries. */
async function openHistory() {
  const { user } = await renderApp('/library');
  const history = within(await screen.findByRole('region', { name: 'History' }));
  const titles = () =>
    history.getAllByRole('button', { name: /^Play/ }).map((button) => button.getAttribute('aria-label'));
  return { user, history, titles };
}

describe('[CAT-05] the library', () => {
  it('shows favourites, own playlists, continue listening and history', async () => {
    answerPlaylists();
    await renderApp('/library');
    const link = await screen.findByRole('link', { name: /^Favorites/ });
    expect(link).toHaveAttribute('href', `/playlist/${toId(800)}`);
    expect(screen.getByRole('link', { name: /^Morning walk/ })).toHaveAttribute(
      'href',
      `/playlist/${toId(700)}`,
    );
    expect(await screen.findByRole('button', { name: 'Resume Track 4' })).toBeInTheDocument();
    const history = within(await screen.findByRole('region', { name: 'History' }));
    expect(await history.findByRole('button', { name: 'Play Track 5' })).toBeInTheDocument();
    expect(history.getByText('20 Nov 2026', { selector: 'time' })).toBeInTheDocument();
  });

  it('shows a playlist of another tab once this tab is shown again', async () => {
    answerPlaylists();
    await renderApp('/library');
    await screen.findByRole('link', { name: /^Morning walk/ });
    answerPlaylists(buildPlaylist(701, { name: 'Evening walk' }));
    act(() => void window.dispatchEvent(new Event('visibilitychange')));
    expect(await screen.findByRole('link', { name: /^Evening walk/ })).toBeInTheDocument();
  });

  it('lists a playlist once that moved to the next page before that was loaded', async () => {
    server.use(
      http.get('*/api/playlist/find-paginated', ({ request }) => {
        const { searchParams } = new URL(request.url);
        if (searchParams.get('filter')?.includes('auto'))
          return HttpResponse.json({ docs: [], totalDocs: 0 });
        return searchParams.get('page') === '1'
          ? HttpResponse.json({ docs: [buildPlaylist(700), buildPlaylist(701)], totalDocs: 3 })
          : HttpResponse.json({ docs: [buildPlaylist(701), buildPlaylist(702)], totalDocs: 4 });
      }),
    );
    const { user } = await renderApp('/library');
    const playlists = within(await screen.findByRole('region', { name: 'Your playlists' }));
    await user.click(await playlists.findByRole('button', { name: 'Show more' }));
    await waitFor(() =>
      expect(playlists.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(
        [700, 701, 702].map((number) => `/playlist/${toId(number)}`),
      ),
    );
  });

  it('removes a history entry and restores it at its index by undo', async () => {
    const isIn = new Set(docs.map(({ _id }) => _id));
    mockEndpoint(api.listening.findHistory, () => {
      const left = docs.filter(({ _id }) => isIn.has(_id));
      return { docs: left, totalDocs: left.length };
    });
    const removed = mockEndpoint(api.listening.removeFromHistory, () => {
      isIn.delete(toId(6));
      return { _id: toId(6) };
    });
    const restored = mockEndpoint(api.listening.restoreToHistory, () => {
      isIn.add(toId(6));
      return { _id: toId(6) };
    });
    const { user, history, titles } = await openHistory();
    await user.click(await history.findByRole('button', { name: 'Remove Track 6 from your history' }));
    expect(titles()).toEqual(['Play Track 5', 'Play Track 7']);
    expect(history.getByText('Track 6 was removed')).toBeInTheDocument();
    expect(history.getByRole('button', { name: 'Undo' })).toHaveFocus();
    await waitFor(() =>
      expect(removed.map(({ url }) => url.pathname)).toEqual([`/api/listening/history/${toId(6)}`]),
    );
    await user.keyboard('{Enter}');
    expect(titles()).toEqual(['Play Track 5', 'Play Track 6', 'Play Track 7']);
    await waitFor(() => expect(history.getByRole('button', { name: 'Play Track 6' })).toHaveFocus());
    await waitFor(() => expect(restored).toHaveLength(1));
    expect(titles()).toHaveLength(3);
  });

  it('keeps the notice of a removed entry in place until the click on another one', async () => {
    mockEndpoint(api.listening.findHistory, { docs, totalDocs: 3 });
    mockEndpoint(api.listening.removeFromHistory, { _id: toId(6) });
    const { user, history } = await openHistory();
    await user.click(await history.findByRole('button', { name: 'Remove Track 5 from your history' }));
    const target = history.getByRole('button', { name: 'Remove Track 6 from your history' });
    await user.pointer({ keys: '[MouseLeft>]', target });
    expect(history.getByText('Track 5 was removed')).toBeInTheDocument();
    await user.pointer({ keys: '[/MouseLeft]', target });
    expect(history.queryByText('Track 5 was removed')).not.toBeInTheDocument();
    expect(history.getByText('Track 6 was removed')).toBeInTheDocument();
    expect(history.getByRole('button', { name: 'Undo' })).toHaveFocus();
    await user.tab();
    expect(history.queryByText('Track 6 was removed')).not.toBeInTheDocument();
  });

  it('keeps a restored entry in place while its removal is still being sent', async () => {
    const requests = mockEndpoint(api.listening.findHistory, { docs, totalDocs: 3 });
    const { promise: held, resolve: removed } = createDeferred();
    mockEndpoint(api.listening.removeFromHistory, { _id: toId(6) }, held);
    const { user, history, titles } = await openHistory();
    await user.click(await history.findByRole('button', { name: 'Remove Track 6 from your history' }));
    await user.keyboard('{Enter}');
    const requestsBefore = requests.length;
    const shown: unknown[] = [];
    mockEndpoint(api.listening.restoreToHistory, () => {
      shown.push(titles(), requests.length - requestsBefore);
      return { _id: toId(6) };
    });
    removed();
    await waitFor(() => expect(requests).toHaveLength(requestsBefore + 1));
    expect(shown).toEqual([['Play Track 5', 'Play Track 6', 'Play Track 7'], 0]);
    expect(titles()).toEqual(['Play Track 5', 'Play Track 6', 'Play Track 7']);
  });

  it('shows an entry again when its removal fails', async () => {
    mockEndpoint(api.listening.removeFromHistory, 'too_many_requests');
    const { user } = await renderApp('/library');
    await user.click(await screen.findByRole('button', { name: 'Remove Track 5 from your history' }));
    expect(await screen.findByText('Too many tries. Please wait a moment.')).toBeInTheDocument();
    expect(await screen.findByRole('button', { name: 'Play Track 5' })).toBeInTheDocument();
  });

  it('shows an entry again when its removal fails without a network', async () => {
    server.use(http.delete('*/api/listening/history/:id', () => HttpResponse.error()));
    const { user } = await renderApp('/library');
    const remove = await screen.findByRole('button', { name: 'Remove Track 5 from your history' });
    goOffline();
    await user.click(remove);
    expect(await screen.findByText(/^The network did not answer/)).toBeInTheDocument();
    expect(await screen.findByRole('button', { name: 'Play Track 5' })).toBeInTheDocument();
  });

  it('offers the undo of a removal again that failed', async () => {
    const docs = new Set([entry]);
    mockEndpoint(api.listening.findHistory, () => ({ docs: [...docs], totalDocs: docs.size }));
    mockEndpoint(api.listening.removeFromHistory, () => {
      docs.clear();
      return { _id: entry._id };
    });
    mockEndpoint(api.listening.restoreToHistory, 'unavailable');
    const { user } = await renderApp('/library');
    await user.click(await screen.findByRole('button', { name: 'Remove Track 5 from your history' }));
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByText(/not available right now/)).toBeInTheDocument();
    expect(await screen.findByText('Track 5 was removed')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Play Track 5' })).not.toBeInTheDocument();
    mockEndpoint(api.listening.restoreToHistory, () => {
      docs.add(entry);
      return { _id: entry._id };
    });
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByRole('button', { name: 'Play Track 5' })).toBeInTheDocument();
  });

  it('shows an empty history once its clearing has lost its response', async () => {
    const { user } = await renderApp('/library');
    server.use(http.delete('*/api/listening/history', () => HttpResponse.error()));
    await user.click(await screen.findByRole('button', { name: 'Clear history' }));
    mockEndpoint(api.listening.findHistory, { docs: [], totalDocs: 0 });
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Clear history' }));
    expect(await screen.findByText(/^The network did not answer/)).toBeInTheDocument();
    await waitFor(() =>
      expect(screen.queryByRole('button', { name: 'Play Track 5' })).not.toBeInTheDocument(),
    );
  });

  it('shows an entry once that moved to the next page of the history', async () => {
    mockEndpoint(api.listening.findHistory, { docs: [entry], totalDocs: 3 });
    const { user, history } = await openHistory();
    const button = await history.findByRole('button', { name: 'Show more' });
    const docs = [entry, { ...entry, _id: toId(6), title: 'Track 6' }];
    mockEndpoint(api.listening.findHistory, { docs, totalDocs: 3 });
    await user.click(button);
    await history.findByRole('button', { name: 'Play Track 6' });
    expect(history.getAllByRole('button', { name: /^Play/ })).toHaveLength(2);
  });

  it('[CAT-08] a track played from the library has its like', async () => {
    mockEndpoint(api.listening.findHistory, { docs: [{ ...entry, like: true }], totalDocs: 1 });
    mockEndpoint(api.catalogue.discover, { continueListening: [buildEntry(4, { like: true })], rows: [] });
    const { user } = await renderApp('/library');
    const getActiveTrack = () =>
      JSON.parse(localStorage.getItem('player-storage') ?? '{}').state?.activeTrack;
    await user.click(await screen.findByRole('button', { name: 'Play Track 5' }));
    await waitFor(() => expect(getActiveTrack()).toMatchObject({ _id: toId(5), like: true }));
    await user.click(await screen.findByRole('button', { name: 'Resume Track 4' }));
    await waitFor(() => expect(getActiveTrack()).toMatchObject({ _id: toId(4), like: true }));
  });

  it('shows listening statistics as a chart, and as a table for everyone', async () => {
    const days = Array.from({ length: 30 }, (_, index) => ({
      date: new Date(Date.UTC(2026, 9, 22 + index)).toISOString().slice(0, 10),
      seconds: index === 29 ? 0 : index * 60,
    }));
    const requests = mockEndpoint(api.listening.findStatistics, { days, daysInARow: 29, finished: 1 });
    const { user } = await renderApp('/library');
    const statistics = within(await screen.findByRole('region', { name: 'Your listening' }));
    expect(await statistics.findByText('day streak')).toBeInTheDocument();
    expect(statistics.getByText('2 hr 33 min')).toBeInTheDocument();
    expect(statistics.getByText('story finished')).toBeInTheDocument();
    expect(statistics.getByText('Listen today to keep your 29-day streak.')).toBeInTheDocument();
    await user.click(statistics.getByText('The days as a table'));
    const table = statistics.getByRole('table', { name: 'Minutes a day, the last 30 days' });
    expect(table).toBeVisible();
    const rows = within(table).getAllByRole('row');
    expect(rows).toHaveLength(31);
    expect(rows.slice(-2).map(({ textContent }) => textContent)).toEqual([
      '19 Nov 202628 min',
      'Todaynothing',
    ]);
    expect(requests[0]?.url.searchParams.get('timeZone')).toBe(
      Intl.DateTimeFormat().resolvedOptions().timeZone,
    );
  });

  it('shows the day of the statistics that was tapped or is pointed at', async () => {
    const days = Array.from({ length: 30 }, (_, index) => ({
      date: new Date(Date.UTC(2026, 9, 22 + index)).toISOString().slice(0, 10),
      seconds: index * 60,
    }));
    mockEndpoint(api.listening.findStatistics, { days, daysInARow: 29, finished: 1 });
    const { user } = await renderApp('/library');
    const target = (await screen.findByRole('figure')).querySelector('svg') ?? document.body;
    vi.spyOn(target, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 300, 96));
    await user.pointer([{ target, coords: { clientX: 105 } }]);
    expect(screen.getByText('01 Nov 2026 · 10 min')).toBeInTheDocument();
    await user.pointer([{ target: document.body }]);
    expect(screen.getByText('Today · 29 min')).toBeInTheDocument();
    await user.pointer([{ target, keys: '[TouchA]', coords: { clientX: 205 } }]);
    expect(screen.getByText('11 Nov 2026 · 20 min')).toBeInTheDocument();
  });

  it.each(['Etc/Unknown', '+05:00'])(
    'shows the statistics by days of UTC in the time zone %s',
    async (timeZone) => {
      const requests = mockEndpoint(api.listening.findStatistics, { days: [], daysInARow: 0, finished: 2 });
      const options = Intl.DateTimeFormat().resolvedOptions();
      vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({ ...options, timeZone });
      await renderApp('/library');
      expect(await screen.findByText('stories finished')).toBeInTheDocument();
      expect(requests[0]?.url.searchParams.get('timeZone')).toBeNull();
    },
  );

  it('[CAT-09] the statistics of a new user link to Discover', async () => {
    await renderApp('/library');
    const statistics = within(await screen.findByRole('region', { name: 'Your listening' }));
    const link = await statistics.findByRole('link', { name: 'Find something to listen to' });
    expect(link).toHaveAttribute('href', '/discover');
  });

  it('[CAT-09] shows an error for the statistics and retries', async () => {
    mockEndpoint(api.listening.findStatistics, 'too_many_requests');
    const { user } = await renderApp('/library');
    const statistics = within(await screen.findByRole('region', { name: 'Your listening' }));
    expect(await statistics.findByText('Your statistics did not load.')).toBeInTheDocument();
    mockEndpoint(api.listening.findStatistics, { days: [], daysInARow: 0, finished: 2 });
    await user.click(statistics.getByRole('button', { name: 'Try again' }));
    expect(await statistics.findByText('stories finished')).toBeInTheDocument();
  });

  it('clears the history after a confirmation', async () => {
    const cleared = mockEndpoint(api.listening.clearHistory, { removed: 1 });
    const { user } = await renderApp('/library');
    const clear = await screen.findByRole('button', { name: 'Clear history' });
    await user.click(clear);
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel' }));
    expect(cleared).toHaveLength(0);
    await user.click(clear);
    mockEndpoint(api.listening.findHistory, { docs: [], totalDocs: 0 });
    const dialog = within(await screen.findByRole('dialog', { name: 'Clear your history?' }));
    await user.click(dialog.getByRole('button', { name: 'Clear history' }));
    expect(await screen.findByText('What you listen to will appear here.')).toBeInTheDocument();
    expect(cleared).toHaveLength(1);
  });

  it('shows what is playing in a cleared history once its position is saved', async () => {
    mockEndpoint(api.catalogue.findArticle, 'not_found');
    const audio = mockAudio();
    let isListed = true;
    mockEndpoint(api.listening.findHistory, () => ({
      docs: isListed ? [entry] : [],
      totalDocs: isListed ? 1 : 0,
    }));
    mockEndpoint(api.listening.clearHistory, () => {
      isListed = false;
      return { removed: 1 };
    });
    mockEndpoint(api.listening.saveProgress, () => {
      isListed = true;
      return { track: entry._id, progress: 0 };
    });
    const { user } = await renderApp('/library');
    await user.click(await screen.findByRole('button', { name: 'Play Track 5' }));
    await audio.loaded();
    await user.click(screen.getByRole('button', { name: 'Clear history' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Clear your history?' }));
    await user.click(dialog.getByRole('button', { name: 'Clear history' }));
    expect(await screen.findByText('What you listen to will appear here.')).toBeInTheDocument();
    audio.happens('loadedmetadata', 'playing');
    const history = within(screen.getByRole('region', { name: 'History' }));
    expect(await history.findByRole('button', { name: 'Pause Track 5' })).toBeInTheDocument();
  });

  it('updates the statistics after a minute when something is listened to', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    mockEndpoint(api.catalogue.findArticle, 'not_found');
    mockEndpoint(api.listening.saveProgress, { track: entry._id, progress: 0 });
    const audio = mockAudio();
    const yesterday = { date: '2026-11-19', seconds: 60 };
    const toStatistics = (seconds: number) => ({
      days: [yesterday, { date: '2026-11-20', seconds }],
      daysInARow: seconds > 0 ? 2 : 1,
      finished: 0,
    });
    mockEndpoint(api.listening.findStatistics, toStatistics(0));
    const { user } = await renderApp('/library');
    await screen.findByText(/^Listen today/);
    mockEndpoint(api.listening.findStatistics, toStatistics(61));
    await vi.advanceTimersByTimeAsync(61_000);
    await user.click(await screen.findByRole('button', { name: 'Play Track 5' }));
    await audio.loaded();
    audio.happens('loadedmetadata', 'playing');
    await waitFor(() => expect(screen.queryByText(/^Listen today/)).not.toBeInTheDocument());
  });

  it('creates a playlist and opens it', async () => {
    mockEndpoint(api.playlists.createPlaylist, buildPlaylist(701, { name: 'Evening walk', totalTracks: 0 }));
    mockEndpoint(api.playlists.findPlaylist, buildPlaylist(701, { name: 'Evening walk', totalTracks: 0 }));
    mockEndpoint(api.playlists.findPlaylistContent, { docs: [], totalDocs: 0 });
    const { user } = await renderApp('/library');
    await user.click(await screen.findByRole('button', { name: 'New playlist' }));
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Evening walk{Enter}');
    await waitFor(() => expect(getCurrentUrl()).toBe(`/playlist/${toId(701)}`));
  });

  it('stays as it is once a playlist is created whose dialog was closed during the request', async () => {
    answerPlaylists();
    const { promise: delay, resolve: respond } = createDeferred();
    const requests = mockEndpoint(api.playlists.createPlaylist, buildPlaylist(701), delay);
    const { user } = await renderApp('/library');
    await user.click(await screen.findByRole('button', { name: 'New playlist' }));
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Evening walk{Enter}');
    await waitFor(() => expect(requests).toHaveLength(1));
    await user.click(screen.getByRole('button', { name: 'Back' }));
    await user.click(screen.getByRole('button', { name: 'New playlist' }));
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Second');
    const lists = mockEndpoint(api.playlists.findPlaylists, { docs: [], totalDocs: 0 });
    respond();
    await waitFor(() => expect(lists).not.toHaveLength(0));
    expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('Second');
    expect(getCurrentUrl()).toBe('/library');
  });

  it.each([
    [
      'History',
      (title: string | null) =>
        mockEndpoint(
          api.listening.findHistory,
          title === null
            ? 'not_found'
            : { docs: [{ ...entry, _id: toId(title.length), title }], totalDocs: 2 },
        ),
    ],
    [
      'Your playlists',
      (name: string | null) =>
        mockEndpoint(
          api.playlists.findPlaylists,
          name === null ? 'not_found' : { docs: [buildPlaylist(name.length, { name })], totalDocs: 2 },
        ),
    ],
  ])('[CAT-09] shows that the next page of a list failed and retries: %s', async (name, mockPage) => {
    mockPage('First');
    const { user } = await renderApp('/library');
    const region = within(await screen.findByRole('region', { name }));
    const button = await region.findByRole('button', { name: 'Show more' });
    mockPage(null);
    await user.click(button);
    expect(await region.findByRole('alert')).toHaveTextContent('We could not find this.');
    expect(region.getByRole('button', { name: 'Try again' })).toHaveFocus();
    mockPage('Second');
    await user.click(region.getByRole('button', { name: 'Try again' }));
    expect(await region.findByText('Second')).toBeInTheDocument();
    expect(region.queryByRole('alert')).not.toBeInTheDocument();
  });

  it('[CAT-09] shows that the next page of a list waits for the network and resumes with it', async () => {
    mockEndpoint(api.listening.findHistory, { docs: [entry], totalDocs: 2 });
    const { user, history } = await openHistory();
    const button = await history.findByRole('button', { name: 'Show more' });
    mockEndpoint(api.listening.findHistory, {
      docs: [{ ...entry, _id: toId(6), title: 'Track 6' }],
      totalDocs: 2,
    });
    goOffline();
    await user.click(button);
    expect(await history.findByRole('alert')).toHaveTextContent('The network did not answer');
    act(() => onlineManager.setOnline(true));
    expect(await history.findByRole('button', { name: 'Play Track 6' })).toBeInTheDocument();
    expect(history.queryByRole('alert')).not.toBeInTheDocument();
  });

  it('[CAT-09] shows which list failed to load and retries', async () => {
    mockEndpoint(api.playlists.findPlaylists, 'not_found');
    const { user } = await renderApp('/library');
    expect(await screen.findByText('Your playlists did not load.')).toBeInTheDocument();
    answerPlaylists();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('link', { name: /^Morning walk/ })).toBeInTheDocument();
  });
});
