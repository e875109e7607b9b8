// Loaded before the tests, so that none of them waits for it.
import '../containers/signed-in-services.tsx';
import { api, type BookmarkEntry } from '@escucho/contracts';
import { onlineManager } from '@tanstack/react-query';
import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { clearBookmarks } from '#features/player/sync/bookmarks.ts';
import { buildArticle, buildTrack, toId } from '#features/player/testing/fixtures.ts';
import { navigate } from '#shared/location.tsx';
import {
  ana,
  fillField,
  free,
  mockAudio,
  mockDownloads,
  mockSignedInUser,
  renderApp,
} from '#testing/app.tsx';
import { createDeferred } from '#testing/deferred.ts';
import { getLastQuery, mockEndpoint, server } from '#testing/server.ts';

const { findAllBookmarks, deleteBookmark } = api.bookmarks;

const buildEntry = (number: number, note: string, url: string | null = '/media/1.mp3'): BookmarkEntry => ({
  bookmark: {
    _id: toId(500 + number),
    track: toId(number),
    position: 83,
    note,
    createdAt: '2026-11-20T09:00:00.000Z',
  },
  track: buildTrack(number, { url, playlist: null }),
  sentence: `Sentence ${number}.`,
});

const mockBookmarks = (...docs: BookmarkEntry[]) =>
  mockEndpoint(findAllBookmarks, { docs, totalDocs: docs.length });
const page = () => within(screen.getByRole('main'));

beforeEach(() => {
  clearBookmarks();
  mockSignedInUser();
});

describe('bookmarks and notes', () => {
  it('[PLAY-05] are reached from the library, with note, sentence and a link to the position', async () => {
    mockBookmarks(buildEntry(1, 'the cat speaks'), buildEntry(2, ''));
    const { user } = await renderApp('/library');
    await user.click(await screen.findByRole('link', { name: 'Bookmarks and notes' }));
    expect(await screen.findByText('the cat speaks')).toBeInTheDocument();
    expect(page().getByText('Sentence 2.')).toBeInTheDocument();
    expect(page().getByText('2 bookmarks')).toBeInTheDocument();
    const link = page().getByRole('link', { name: 'Track 1' });
    expect(link).toHaveAttribute('href', `/articles/read/${toId(1)}?at=83`);
  });

  it('[PLAY-05] play from their position', async () => {
    mockBookmarks(buildEntry(1, 'here'));
    mockEndpoint(api.catalogue.findArticle, buildArticle(1));
    mockEndpoint(api.listening.saveProgress, { track: toId(1), progress: 83 });
    const { user } = await renderApp('/library/bookmarks');
    await user.click(await screen.findByRole('button', { name: 'Play Track 1 from 1:23' }));
    const player = within(await screen.findByRole('region', { name: 'Player' }));
    const slider = await player.findByRole('slider', { name: 'Position' });
    await waitFor(() => expect(slider).toHaveValue('83'));
  });

  it('[PLAY-04] of locked articles ask for a subscription', async () => {
    mockSignedInUser(ana, free);
    mockBookmarks(buildEntry(1, 'here', null));
    await renderApp('/library/bookmarks');
    const name = 'Play Track 1 from 1:23, needs a subscription';
    expect(await screen.findByRole('button', { name })).toBeInTheDocument();
  });

  it('are searched by the server, without the tabs of what was pasted', async () => {
    const requests = mockBookmarks(buildEntry(1, 'the cat'));
    await renderApp('/library/bookmarks');
    await fillField(await screen.findByRole('searchbox', { name: 'Search notes and titles' }), 'the\tcat');
    await waitFor(() => expect(getLastQuery(requests)).toMatchObject({ q: 'the cat', page: '1' }));
  });

  it('are deleted at once, and restored by Undo', async () => {
    mockBookmarks(buildEntry(1, 'the cat'), buildEntry(2, 'the dog'));
    mockEndpoint(deleteBookmark, { _id: toId(501) });
    const { bookmark } = buildEntry(1, 'the cat');
    const saved = mockEndpoint(api.bookmarks.saveBookmark, bookmark);
    const { user } = await renderApp('/library/bookmarks');
    await screen.findByRole('region', { name: 'Player' });
    await user.click(await screen.findByRole('button', { name: 'Delete the bookmark at 1:23 of Track 1' }));
    await waitFor(() => expect(screen.queryByText('the cat')).not.toBeInTheDocument());
    expect(page().getByText('1 bookmark')).toBeInTheDocument();
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('the cat')).toBeInTheDocument();
    expect(page().getByText('2 bookmarks')).toBeInTheDocument();
    await waitFor(() => expect(saved[0]?.body).toMatchObject({ createdAt: bookmark.createdAt }));
  });

  it('[PLAY-05] stay deleted when another device has deleted them before', async () => {
    mockBookmarks(buildEntry(1, 'the cat'), buildEntry(2, 'the dog'));
    const requests = mockEndpoint(deleteBookmark, 'not_found');
    const { user } = await renderApp('/library/bookmarks');
    await screen.findByRole('region', { name: 'Player' });
    await user.click(await screen.findByRole('button', { name: 'Delete the bookmark at 1:23 of Track 1' }));
    await waitFor(() => expect(requests).toHaveLength(1));
    await waitFor(() => expect(localStorage.getItem('bookmarks-storage')).toContain('"waiting":{}'));
    expect(page().getByText('1 bookmark')).toBeInTheDocument();
    expect(page().queryByText('the cat')).not.toBeInTheDocument();
  });

  it.each([
    ['deleted', (all: BookmarkEntry[]) => all.slice(2)],
    ['added', (all: BookmarkEntry[]) => [buildEntry(99, 'new'), ...all]],
  ])('are all listed once when some are %s while a page loads', async (_, change) => {
    let stored = Array.from({ length: 30 }, (_, index) => buildEntry(index + 1, ''));
    const { promise: delay, resolve: respond } = createDeferred();
    server.use(
      http.get('*/api/bookmarks/find-paginated', async ({ request }) => {
        const page = Number(new URL(request.url).searchParams.get('page'));
        if (page > 1) await delay;
        return HttpResponse.json({ docs: stored.slice(page * 20 - 20, page * 20), totalDocs: stored.length });
      }),
    );
    await renderApp('/library/bookmarks');
    await page().findByText('Sentence 20.');
    stored = change(stored);
    respond();
    const titles = () =>
      page()
        .getAllByText(/^Sentence/)
        .map(({ textContent }) => textContent);
    const expected = stored.map(({ sentence }) => sentence);
    await waitFor(() => expect(titles()).toEqual(expected));
  });

  it('[CAT-09] show that a page waits for the network, and resume with it', async () => {
    const all = Array.from({ length: 30 }, (_, index) => buildEntry(index + 1, ''));
    server.use(
      http.get('*/api/bookmarks/find-paginated', ({ request }) => {
        const page = Number(new URL(request.url).searchParams.get('page'));
        if (page === 1) onlineManager.setOnline(false);
        return HttpResponse.json({ docs: all.slice(page * 20 - 20, page * 20), totalDocs: all.length });
      }),
    );
    await renderApp('/library/bookmarks');
    expect(await page().findByRole('alert')).toHaveTextContent(/^The network did not answer/);
    act(() => onlineManager.setOnline(true));
    expect(await page().findByText('Sentence 30.')).toBeInTheDocument();
    expect(page().queryByRole('alert')).not.toBeInTheDocument();
  });

  it('has a restored one again also when it was requested again after the deletion', async () => {
    const [cat, dog] = [buildEntry(1, 'the cat'), buildEntry(2, 'the dog')];
    let stored = [cat, dog];
    mockEndpoint(findAllBookmarks, () => ({ docs: stored, totalDocs: stored.length }));
    mockEndpoint(api.bookmarks.deleteBookmark, () => {
      stored = [cat];
      return { _id: dog.bookmark._id };
    });
    mockEndpoint(api.bookmarks.saveBookmark, () => {
      stored = [cat, dog];
      return dog.bookmark;
    });
    const { user } = await renderApp('/library/bookmarks');
    await screen.findByRole('region', { name: 'Player' });
    await user.click(await screen.findByRole('button', { name: 'Delete the bookmark at 1:23 of Track 2' }));
    await waitFor(() => expect(stored).toHaveLength(1));
    await user.type(page().getByRole('searchbox'), 'the');
    await user.clear(page().getByRole('searchbox'));
    expect(page().queryByText('the dog')).not.toBeInTheDocument();
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await page().findByText('the dog')).toBeInTheDocument();
  });

  it.each([
    ['As Markdown', 'escucho-bookmarks.md', '- [1:23](http://localhost:3000/articles/read/'],
    ['As CSV, for spreadsheets', 'escucho-bookmarks.csv', 'Track 1,en,B1,1:23,the cat,Sentence 1.'],
  ])('are exported: %s', async (name, fileName, content) => {
    mockBookmarks(buildEntry(1, 'the cat'));
    const { files, clicks: click } = mockDownloads();
    const { user } = await renderApp('/library/bookmarks');
    await user.click(await screen.findByRole('button', { name: 'Export' }));
    await user.click(await screen.findByRole('menuitem', { name }));
    await waitFor(() => expect(files).toHaveLength(1));
    expect(await files[0]?.text()).toContain(content);
    expect(click.mock.contexts[0]).toHaveProperty('download', fileName);
  });

  it('are exported without one whose deletion is not sent yet', async () => {
    mockBookmarks(buildEntry(1, 'the cat'), buildEntry(2, 'the dog'));
    const { promise: delay, resolve: respond } = createDeferred();
    onTestFinished(() => respond());
    mockEndpoint(deleteBookmark, { _id: toId(501) }, delay);
    const { files } = mockDownloads();
    const { user } = await renderApp('/library/bookmarks');
    await user.click(await screen.findByRole('button', { name: 'Delete the bookmark at 1:23 of Track 1' }));
    await user.click(await screen.findByRole('button', { name: 'Export' }));
    await user.click(await screen.findByRole('menuitem', { name: 'As Markdown' }));
    await waitFor(() => expect(files).toHaveLength(1));
    const text = await files[0]?.text();
    expect(text).toContain('the dog');
    expect(text).not.toContain('the cat');
  });

  it('[PLAY-05] added without the server are listed, found and exported', async () => {
    mockBookmarks(buildEntry(1, 'the cat'));
    mockEndpoint(api.catalogue.findArticle, buildArticle(1));
    mockEndpoint(api.listening.saveProgress, { track: toId(1), progress: 83 });
    mockEndpoint(api.bookmarks.saveBookmark, 'unavailable');
    const { files } = mockDownloads();
    const { user } = await renderApp('/library/bookmarks');
    await user.click(await screen.findByRole('button', { name: 'Play Track 1 from 1:23' }));
    await screen.findByRole('region', { name: 'Player' });
    await user.keyboard('b');
    expect(await page().findByText('2 bookmarks')).toBeInTheDocument();
    expect(page().getAllByRole('link', { name: 'Track 1' })).toHaveLength(2);
    await user.click(page().getByRole('button', { name: 'Export' }));
    await user.click(await screen.findByRole('menuitem', { name: 'As CSV, for spreadsheets' }));
    await waitFor(() => expect(files).toHaveLength(1));
    expect((await files[0]?.text())?.match(/^Track 1,/gm)).toHaveLength(2);
    mockBookmarks();
    const search = page().getByRole('searchbox');
    await fillField(search, 'TRACK');
    expect(await page().findByText('1 bookmark')).toBeInTheDocument();
    await user.clear(search);
    await fillField(search, 'dog');
    expect(await page().findByText(/^None of your bookmarks has that/)).toBeInTheDocument();
  });

  it('[CAT-09] whose search fails can be searched for something else', async () => {
    mockBookmarks(buildEntry(1, 'the cat'));
    const { user } = await renderApp('/library/bookmarks');
    await screen.findByText('the cat');
    mockEndpoint(findAllBookmarks, 'not_found');
    const box = page().getByRole('searchbox');
    await fillField(box, 'cat');
    expect(await page().findByRole('heading', { name: 'Your bookmarks did not load' })).toBeInTheDocument();
    expect(box).toHaveFocus();
    mockBookmarks(buildEntry(2, 'the dog'));
    await user.clear(box);
    await fillField(box, 'dog');
    expect(await page().findByText('the dog')).toBeInTheDocument();
  });

  it('[CAT-09] have an empty state', async () => {
    mockBookmarks();
    await renderApp('/library/bookmarks');
    expect(await screen.findByRole('heading', { name: 'No bookmarks yet' })).toBeInTheDocument();
  });

  it('[CAT-09] offer a retry when they fail to load', async () => {
    mockEndpoint(findAllBookmarks, 'not_found');
    const { user } = await renderApp('/library/bookmarks');
    const retry = await screen.findByRole('button', { name: 'Try again' });
    mockBookmarks(buildEntry(1, 'the cat'));
    await user.click(retry);
    expect(await screen.findByText('the cat')).toBeInTheDocument();
  });
});

it.each([
  ['83', '1:23'],
  ['0', '0:00'],
])('[PLAY-05] the link to a bookmark at %s s offers to listen from there', async (at, time) => {
  const track = buildTrack(1, { playlist: null, progress: 40 });
  mockEndpoint(api.catalogue.readArticle, { article: buildArticle(1), track, related: [] });
  await renderApp(`/articles/read/${toId(1)}?at=${at}`);
  expect(await screen.findByRole('button', { name: `Listen from ${time}` })).toBeInTheDocument();
});

it('[PLAY-05] the link to a bookmark plays a paused track from there', async () => {
  const track = buildTrack(1, { playlist: null });
  mockBookmarks(buildEntry(1, 'here'));
  mockEndpoint(api.catalogue.readArticle, { article: buildArticle(1), track, related: [] });
  mockEndpoint(api.catalogue.findArticle, buildArticle(1));
  mockEndpoint(api.listening.saveProgress, { track: toId(1), progress: 83 });
  const audio = mockAudio();
  const { user } = await renderApp('/library/bookmarks');
  await user.click(await screen.findByRole('button', { name: 'Play Track 1 from 1:23' }));
  await audio.loaded();
  const player = within(screen.getByRole('region', { name: 'Player' }));
  await user.click(await player.findByRole('button', { name: 'Pause' }));
  act(() => navigate(`/articles/read/${toId(1)}?at=20`));
  await user.click(await screen.findByRole('button', { name: 'Listen from 0:20' }));
  expect(await player.findByRole('slider', { name: 'Position' })).toHaveValue('20');
  await user.click(await player.findByRole('button', { name: 'Pause' }));
  expect(await page().findByRole('button', { name: 'Resume' })).toBeInTheDocument();
});
