import { api } from '@escucho/contracts';
import { onlineManager } from '@tanstack/react-query';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { addRecentSearch, clearRecentSearches } from '#features/articles/recent-searches.ts';
import { buildTrack, toId } from '#features/player/testing/fixtures.ts';
import { ana, getCurrentUrl, mockSignedInUser, renderApp } from '#testing/app.tsx';
import { buildHit, buildSearchResults, facets } from '#testing/builders.ts';
import { getLastQuery, mockEndpoint } from '#testing/server.ts';

const browsed = { totalDocs: 5, facets, covers: { 'topic:daily-life': '/media/market.webp' } };

beforeEach(() => {
  clearRecentSearches();
  mockSignedInUser();
  mockEndpoint(api.catalogue.browse, browsed);
  mockEndpoint(api.catalogue.search, buildSearchResults([]));
});

describe('[CAT-03] the search page without a term', () => {
  const getHref = async (name: RegExp) => (await screen.findByRole('link', { name })).getAttribute('href');

  it('links to topics, levels and kinds with covers and counts', async () => {
    await renderApp('/articles/search');
    expect(await screen.findByRole('heading', { level: 1, name: 'Search' })).toBeInTheDocument();
    expect(await getHref(/^Daily life 3/)).toBe('/articles/topic/daily-life');
    expect(await getHref(/^Deep sea 1/)).toBe('/articles/topic/deep-sea');
    expect(await getHref(/^B1 4/)).toBe('/articles/level/B1');
    expect(await getHref(/^Visual books 1/)).toBe('/visual-book');
    expect(await getHref(/^Articles 3/)).toBe('/articles/search?kind=article');
    expect(await getHref(/newest first \(5\)/)).toBe('/articles/latest');
    const topic = screen.getByRole('link', { name: /^Daily life/ });
    expect(topic.querySelector('img')).toHaveAttribute('src', '/media/market.webp');
  });

  it('shows one language, which its links keep', async () => {
    const requests = mockEndpoint(api.catalogue.browse, browsed);
    const { user } = await renderApp('/articles/search');
    await user.click(await screen.findByRole('link', { name: /^Spanish 2/ }));
    await waitFor(() => expect(getLastQuery(requests)).toEqual({ language: 'es' }));
    await waitFor(async () => expect(await getHref(/^B1 4/)).toBe('/articles/level/B1?language=es'));
    expect(getCurrentUrl()).toBe('/articles/search?language=es');
    expect(screen.getByRole('link', { name: /^Spanish/ })).toHaveAttribute('aria-current', 'true');
  });

  it('[CAT-09] without a network shows no topics of another language', async () => {
    const { user } = await renderApp('/articles/search');
    expect(await getHref(/^Daily life 3/)).toBe('/articles/topic/daily-life');
    act(() => onlineManager.setOnline(false));
    await user.click(await screen.findByRole('link', { name: /^Spanish 2/ }));
    expect(await screen.findByRole('alert')).toHaveTextContent('The network did not answer');
    expect(screen.queryByRole('link', { name: /^Daily life/ })).not.toBeInTheDocument();
    await user.click(screen.getByRole('link', { name: /^All languages 5/ }));
    expect(await getHref(/^Daily life 3/)).toBe('/articles/topic/daily-life');
  });

  it('starts in the language that the user learns, and can show all', async () => {
    mockSignedInUser({ ...ana, learning: { language: 'es', level: null } });
    const requests = mockEndpoint(api.catalogue.browse, browsed);
    const { user } = await renderApp('/articles/search');
    expect(await getHref(/^B1 4/)).toBe('/articles/level/B1?language=es');
    await user.click(screen.getByRole('link', { name: /^All languages 5/ }));
    await waitFor(() => expect(getLastQuery(requests)).toEqual({}));
    await waitFor(async () => expect(await getHref(/^B1 4/)).toBe('/articles/level/B1'));
  });

  it('a search starts in the language that the user learns, and can show all', async () => {
    mockSignedInUser({ ...ana, learning: { language: 'es', level: null } });
    const requests = mockEndpoint(api.catalogue.search, buildSearchResults([]));
    const { user } = await renderApp('/articles/search/luna');
    await waitFor(() => expect(getLastQuery(requests)).toMatchObject({ q: 'luna', language: 'es' }));
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Language' }), 'Language');
    await waitFor(() => expect(getLastQuery(requests)).not.toHaveProperty('language'));
    expect(getCurrentUrl()).toBe('/articles/search/luna?language=all');
  });

  it.each(['es', 'all'])('has the filters of a search, which keep the language %s', async (language) => {
    mockSignedInUser({ ...ana, learning: { language: 'en', level: null } });
    const { user } = await renderApp(`/articles/search?language=${language}`);
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Length' }), 'short');
    await waitFor(() => expect(getCurrentUrl()).toBe(`/articles/search?language=${language}&length=short`));
  });

  it('keep the focus when the first one is chosen and when the last one is cleared', async () => {
    mockEndpoint(api.catalogue.search, buildSearchResults([buildHit(1)]));
    const { user } = await renderApp('/articles/search');
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Length' }), 'short');
    const clear = await screen.findByRole('button', { name: 'Clear filters' });
    await waitFor(() => expect(screen.getByRole('combobox', { name: 'Length' })).toHaveFocus());
    act(() => clear.focus());
    await user.keyboard('{Enter}');
    await waitFor(() => expect(screen.getByRole('link', { name: /^All languages/ })).toHaveFocus());
  });

  const openWithRecent = async (...terms: string[]) => {
    const { user } = await renderApp('/articles/search');
    await screen.findByRole('heading', { name: 'Topics' });
    act(() => terms.forEach(addRecentSearch));
    return user;
  };
  const getRecent = () =>
    screen
      .queryAllByRole('button', { name: /^Forget “/ })
      .map((button) => button.getAttribute('aria-label')?.slice(8, -1));

  it('lists recent searches, which can be removed and restored', async () => {
    const user = await openWithRecent('luna', 'ferry');
    act(() => screen.getByRole('button', { name: 'Forget “ferry”' }).focus());
    await user.keyboard('{Enter}');
    expect(getRecent()).toEqual(['luna']);
    await waitFor(() => expect(screen.getByRole('link', { name: 'luna' })).toHaveFocus());
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(getRecent()).toEqual(['ferry', 'luna']);
    await user.click(screen.getByRole('button', { name: 'Forget all' }));
    expect(getRecent()).toEqual([]);
    act(() => addRecentSearch('tea'));
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(getRecent()).toEqual(['tea', 'ferry', 'luna']);
  });

  it('restores only the search whose removal is undone, beside those added since', async () => {
    const user = await openWithRecent('luna', 'ferry');
    await user.click(screen.getByRole('button', { name: 'Forget “ferry”' }));
    act(() => void clearRecentSearches());
    act(() => addRecentSearch('tea'));
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(getRecent()).toEqual(['ferry', 'tea']);
  });

  it('lists the recent searches that another tab has left and added', async () => {
    await openWithRecent('luna', 'ferry');
    const state = { userId: ana._id, terms: ['tea', 'ferry'] };
    localStorage.setItem('search-storage', JSON.stringify({ state, version: 1 }));
    act(() => addRecentSearch('rain'));
    expect(getRecent()).toEqual(['rain', 'tea', 'ferry']);
  });

  it('does not list the recent searches of a user whose session ended while the app was closed', async () => {
    await openWithRecent('ferry');
    expect(getRecent()).toEqual(['ferry']);
    cleanup();
    mockSignedInUser({ ...ana, _id: toId(2) });
    await openWithRecent();
    expect(getRecent()).toEqual([]);
    act(() => addRecentSearch('luna'));
    expect(getRecent()).toEqual(['luna']);
  });

  it('[CAT-09] offers a retry when browsing fails to load', async () => {
    mockEndpoint(api.catalogue.browse, 'internal');
    const { user } = await renderApp('/articles/search');
    const again = await screen.findByRole('button', { name: 'Try again' });
    mockEndpoint(api.catalogue.browse, browsed);
    await user.click(again);
    expect(await screen.findByRole('link', { name: /^Daily life/ })).toBeInTheDocument();
  });
});

describe('[CAT-04] article lists', () => {
  it.each([
    ['/articles/latest', 'Latest articles', {}],
    ['/articles/audiobooks', 'Audiobooks', { kind: 'audiobook' }],
    ['/articles/topic/daily-life', 'Daily life', { topic: 'daily-life' }],
    ['/articles/level/b1', 'Level B1', { level: 'B1' }],
    ['/articles/narrator/Ana%20Paz', 'Narrated by Ana Paz', { narrator: 'Ana Paz' }],
  ])('%s is %s', async (path, title, query) => {
    const requests = mockEndpoint(api.catalogue.findArticles, { docs: [buildTrack(1)], totalDocs: 1 });
    await renderApp(path);
    expect(await screen.findByRole('heading', { level: 1, name: title })).toBeInTheDocument();
    expect(await screen.findByText('1 result')).toBeInTheDocument();
    expect(getLastQuery(requests)).toMatchObject(query);
  });

  it.each(['/articles/nothing', '/articles/level/Z9', '/articles/latest/more'])(
    '[SHELL-11] %s shows the not-found page',
    async (path) => {
      await renderApp(path);
      expect(
        await screen.findByRole('heading', { name: 'There is nothing at this address' }),
      ).toBeInTheDocument();
    },
  );

  it('[CAT-09] shows an empty state', async () => {
    mockEndpoint(api.catalogue.findArticles, { docs: [], totalDocs: 0 });
    await renderApp('/articles/audiobooks');
    expect(await screen.findByText('Nothing here yet')).toBeInTheDocument();
  });

  it('can be filtered at an address that can be shared', async () => {
    const lists = mockEndpoint(api.catalogue.findArticles, { docs: [buildTrack(1)], totalDocs: 1 });
    const searches = mockEndpoint(api.catalogue.search, buildSearchResults([]));
    const { user } = await renderApp('/articles/topic/travel');
    await screen.findByRole('option', { name: 'Spanish (2)' });
    await user.selectOptions(screen.getByRole('combobox', { name: 'Language' }), 'es');
    await waitFor(() => expect(getLastQuery(lists)).toMatchObject({ topic: 'travel', language: 'es' }));
    await user.selectOptions(screen.getByRole('combobox', { name: 'Level' }), 'B1');
    const query = { q: '', topic: 'travel', language: 'es', level: 'B1', page: '1' };
    await waitFor(() => expect(getLastQuery(searches)).toMatchObject(query));
    expect(getCurrentUrl()).toBe('/articles/topic/travel?language=es&level=B1');
    expect(screen.queryByRole('combobox', { name: 'Topic' })).not.toBeInTheDocument();
  });

  it('of a narrator can be filtered by language', async () => {
    const lists = mockEndpoint(api.catalogue.findArticles, { docs: [buildTrack(1)], totalDocs: 1 });
    const { user } = await renderApp('/articles/narrator/Ana%20Paz');
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Language' }), 'es');
    await waitFor(() => expect(getLastQuery(lists)).toMatchObject({ narrator: 'Ana Paz', language: 'es' }));
    expect(screen.getAllByRole('combobox')).toHaveLength(1);
  });
});
