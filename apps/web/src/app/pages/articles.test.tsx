import { type Article, api } from '@escucho/contracts';
import { onlineManager } from '@tanstack/react-query';
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { clearRecentSearches } from '#features/articles/recent-searches.ts';
import { usePlayer } from '#features/player/engine/store.ts';
import { buildArticle, buildTrack, toId } from '#features/player/testing/fixtures.ts';
import { ana, free, getCurrentUrl, mockSignedInUser, renderApp } from '#testing/app.tsx';
import { buildHit, buildSearchResults } from '#testing/builders.ts';
import { getLastQuery, mockEndpoint, type ReceivedRequest } from '#testing/server.ts';

beforeEach(() => {
  clearRecentSearches();
  mockSignedInUser();
  mockEndpoint(api.listening.saveProgress, { track: toId(1), progress: 0 });
});

describe('[CAT-03] search results', () => {
  it('shows the total, highlights matches and links to the article', async () => {
    mockEndpoint(api.catalogue.search, buildSearchResults([buildHit(1), buildHit(2)]));
    await renderApp('/articles/search/track');
    expect(await screen.findByRole('heading', { level: 1, name: 'Results for “track”' })).toBeInTheDocument();
    expect(await screen.findByText('2 results')).toBeInTheDocument();
    const link = await screen.findByRole('link', { name: 'Track 1' });
    expect(link).toHaveAttribute('href', `/articles/read/${toId(1)}`);
    expect(within(link).getByText('Track').tagName).toBe('MARK');
  });

  it('searches for the exact text of the address, also for one that looks encoded', async () => {
    const requests = mockEndpoint(api.catalogue.search, buildSearchResults([]));
    await renderApp('/articles/search/100%25252F?language=all');
    expect(await screen.findByRole('heading', { name: 'Results for “100%252F”' })).toBeInTheDocument();
    await waitFor(() => expect(getLastQuery(requests)).toMatchObject({ q: '100%252F' }));
  });

  it('searches for the beginning of a text that is too long', async () => {
    const requests = mockEndpoint(api.catalogue.search, buildSearchResults([]));
    await renderApp(`/articles/search/faro%0A${'x'.repeat(200)}?language=all`);
    const q = `faro ${'x'.repeat(115)}`;
    expect(await screen.findByRole('heading', { name: `Results for “${q}”` })).toBeInTheDocument();
    await waitFor(() => expect(getLastQuery(requests)).toMatchObject({ q }));
    expect(screen.getByRole('searchbox', { name: 'Search' })).toHaveValue(q);
  });

  it('shows the matching sentence and plays from its position', async () => {
    const sentence = { number: 3, text: 'The ferry left at night.', start: 12.5, end: 15, marks: [] };
    mockEndpoint(api.catalogue.search, buildSearchResults([buildHit(1, { where: 'text', sentence })]));
    const { user } = await renderApp('/articles/search/ferry');
    expect(await screen.findByText('The ferry left at night.')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Hear Track 1 from 0:12' }));
    await waitFor(() => expect(usePlayer.getState().activeTrack?._id).toBe(toId(1)));
    await waitFor(() => expect(usePlayer.getState().progress).toBe(12.5));
    expect(localStorage.getItem('search-storage')).toContain('["ferry"]');
  });

  it('stores filters in the URL, shows their counts and sends them', async () => {
    const requests = mockEndpoint(api.catalogue.search, buildSearchResults([buildHit(1)]));
    const { user } = await renderApp('/articles/search/track');
    const level = await screen.findByRole('combobox', { name: 'Level' });
    await waitFor(() => expect(within(level).getByRole('option', { name: 'B1 (4)' })).toBeInTheDocument());
    await user.selectOptions(level, 'B1');
    await waitFor(() => expect(getCurrentUrl()).toBe('/articles/search/track?level=B1'));
    await waitFor(() => expect(getLastQuery(requests)).toMatchObject({ q: 'track', level: 'B1' }));
    await user.click(await screen.findByRole('button', { name: 'Clear filters' }));
    await waitFor(() => expect(getCurrentUrl()).toBe('/articles/search/track'));
  });

  it('[PLAY-02] plays another list of results instead of adding it to the queue', async () => {
    const lists: Record<string, number[]> = { A1: [1, 2, 3, 4], B1: [3, 7, 8] };
    const requests: ReceivedRequest[] = mockEndpoint(api.catalogue.search, () =>
      buildSearchResults((lists[getLastQuery(requests).level ?? 'A1'] ?? []).map((n) => buildHit(n))),
    );
    const { user } = await renderApp('/articles/search/track?level=A1');
    await user.click(await screen.findByRole('button', { name: 'Play Track 1' }));
    await waitFor(() => expect(usePlayer.getState().queue).toHaveLength(4));
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Level' }), 'B1');
    await screen.findByRole('button', { name: 'Play Track 7' });
    await user.click(screen.getByRole('button', { name: 'Play Track 3' }));
    await waitFor(() =>
      expect(usePlayer.getState().queue.map(({ title }) => title)).toEqual(['Track 3', 'Track 7', 'Track 8']),
    );
  });

  it('suggests a filter for words that name one', async () => {
    const requests = mockEndpoint(
      api.catalogue.search,
      buildSearchResults([buildHit(1)], { corrected: 'danish b1 tea' }),
    );
    const { user } = await renderApp('/articles/search/Spanish%20B1%20tea?length=short');
    await user.click(await screen.findByRole('link', { name: 'Show only: Spanish, B1' }));
    await waitFor(() =>
      expect(getCurrentUrl()).toBe('/articles/search/tea?language=es&level=B1&length=short'),
    );
    await waitFor(() =>
      expect(getLastQuery(requests)).toMatchObject({
        q: 'tea',
        language: 'es',
        level: 'B1',
        length: 'short',
      }),
    );
    expect(screen.queryByRole('link', { name: /^Show only/ })).not.toBeInTheDocument();
  });

  it('[CAT-09] shows that another search waits for the network, in place of the results before', async () => {
    mockEndpoint(api.catalogue.search, () => buildSearchResults([buildHit(1)]));
    const { user } = await renderApp('/articles/search/track');
    await screen.findByRole('link', { name: 'Track 1' });
    act(() => onlineManager.setOnline(false));
    await user.selectOptions(screen.getByRole('combobox', { name: 'Level' }), 'B1');
    expect(await screen.findByRole('alert')).toHaveTextContent(/The network did not answer/);
    expect(screen.queryByRole('link', { name: 'Track 1' })).not.toBeInTheDocument();
    expect(screen.queryByText('1 result')).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Clear filters' }));
    expect(await screen.findByRole('link', { name: 'Track 1' })).toBeInTheDocument();
  });

  it('[CAT-09] suggests similar words when nothing is found', async () => {
    mockEndpoint(api.catalogue.search, buildSearchResults([], { near: ['ferry'] }));
    const { user } = await renderApp('/articles/search/ferrty?language=all');
    expect(await screen.findByText('Nothing was found')).toBeInTheDocument();
    const near = screen.getByRole('link', { name: 'ferry' });
    expect(near).toHaveAttribute('href', '/articles/search/ferry?language=all');
    await user.click(near);
    // A search without results is no recent one.
    expect(localStorage.getItem('search-storage')).not.toContain('ferrty');
  });

  it.each([
    ['?level=B1&language=all', 'Try without filters, or other words.'],
    ['?language=all', 'Try fewer or other words.'],
  ])('[CAT-09] says what to try when nothing is found: %s', async (query, text) => {
    mockEndpoint(api.catalogue.search, buildSearchResults([]));
    await renderApp(`/articles/search/ferry${query}`);
    expect(await screen.findByText(text)).toBeInTheDocument();
  });

  it('a suggested filter keeps all languages', async () => {
    mockSignedInUser({ ...ana, learning: { language: 'en', level: null } });
    mockEndpoint(api.catalogue.search, buildSearchResults([buildHit(1)]));
    await renderApp('/articles/search/b1%20luna?language=all');
    const link = await screen.findByRole('link', { name: 'Show only: B1' });
    expect(link).toHaveAttribute('href', '/articles/search/luna?language=all&level=B1');
  });

  it('shows the corrected term, and that there are more results than ranked', async () => {
    mockEndpoint(api.catalogue.search, buildSearchResults([buildHit(1)], { corrected: 'track' }));
    const first = await renderApp('/articles/search/trakc');
    expect(await screen.findByText('Results for “track”')).toBeInTheDocument();
    let hits = 0;
    mockEndpoint(api.catalogue.search, () => {
      hits += 1;
      return buildSearchResults([buildHit(hits)], { totalDocs: 200, isMore: true, isSampled: true });
    });
    const box = screen.getByRole('searchbox', { name: 'Search' });
    await first.user.clear(box);
    await first.user.type(box, 'the{Enter}');
    expect(await screen.findByText('More than 200 results; the best come first')).toBeInTheDocument();
    expect(screen.getByRole('option', { name: 'B1 (4+)' })).toBeInTheDocument();
  });
});

const article: Article = {
  ...buildArticle(1),
  summary: 'A night on the water.',
  topic: 'travel',
  narrator: { name: 'Ana Paz', image: null },
  chapters: [{ title: 'The crossing', start: 5 }],
  sentences: [
    { text: 'It was late.', translation: null, start: 0, end: 5, paragraph: 0, chapter: null, page: null },
    { text: 'We crossed.', translation: null, start: 5, end: 9, paragraph: 1, chapter: 0, page: null },
  ],
};

describe('[CAT-04] an article page', () => {
  it.each([true, false])('[PLAY-08] shows whether its times are estimated: %s', async (estimated) => {
    mockEndpoint(api.catalogue.readArticle, {
      article: { ...article, estimated },
      track: buildTrack(1),
      related: [],
    });
    await renderApp(`/articles/read/${toId(1)}`);
    expect(await screen.findByRole('region', { name: 'Text of Track 1' })).toBeInTheDocument();
    expect(screen.queryByText('The times of the sentences are estimated.') !== null).toBe(estimated);
  });

  it('has a text in the language of the article, with a name in that of the page', async () => {
    const spanish = { ...article, language: 'es' as const };
    mockEndpoint(api.catalogue.readArticle, { article: spanish, track: buildTrack(1), related: [] });
    await renderApp(`/articles/read/${toId(1)}`);
    const text = await screen.findByRole('region', { name: 'Text of Track 1' });
    expect(text.closest('[lang]')).toHaveAttribute('lang', 'en');
    expect(within(text).getByText('We crossed.').closest('[lang]')).toHaveAttribute('lang', 'es');
  });

  it.each(['America/Lima', 'Pacific/Kiritimati'])(
    'names the day it was published, in %s as elsewhere',
    async (zone) => {
      vi.stubEnv('TZ', zone);
      onTestFinished(() => void vi.unstubAllEnvs());
      mockEndpoint(api.catalogue.readArticle, { article, track: buildTrack(1), related: [] });
      await renderApp(`/articles/read/${toId(1)}`);
      expect(await screen.findByText(/01 Nov 2026/)).toBeInTheDocument();
    },
  );

  it('shows its details and links to its narrator, level and topic', async () => {
    mockEndpoint(api.catalogue.readArticle, { article, track: buildTrack(1), related: [buildTrack(2)] });
    await renderApp(`/articles/read/${toId(1)}`);
    expect(await screen.findByRole('heading', { level: 1, name: 'Track 1' })).toBeInTheDocument();
    expect(screen.getByText('A night on the water.')).toBeInTheDocument();
    const href = (name: string) => screen.getByRole('link', { name }).getAttribute('href');
    expect(href('Ana Paz')).toBe('/articles/narrator/Ana%20Paz');
    expect(href('B1')).toBe('/articles/level/B1?language=en');
    expect(href('Travel')).toBe('/articles/topic/travel?language=en');
    expect(href('Track 2')).toBe(`/articles/read/${toId(2)}`);
  });

  it('[PLAY-08] plays from a sentence and from a chapter', async () => {
    mockEndpoint(api.catalogue.readArticle, { article, track: buildTrack(1), related: [] });
    const { user } = await renderApp(`/articles/read/${toId(1)}`);
    await user.click(await screen.findByRole('button', { name: 'We crossed.' }));
    await waitFor(() => expect(usePlayer.getState().progress).toBe(5));
    await user.click(screen.getByRole('button', { name: 'It was late.' }));
    await waitFor(() => expect(usePlayer.getState().progress).toBe(0));
    await user.click(screen.getByRole('button', { name: /^The crossing/ }));
    await waitFor(() => expect(usePlayer.getState().progress).toBe(5));
  });

  it('[PLAY-08] shows and hides the translation', async () => {
    const [first, ...others] = article.sentences;
    const sentences = first ? [{ ...first, translation: 'Era tarde.' }, ...others] : [];
    const translated: Article = { ...article, translationLanguage: 'es', sentences };
    mockEndpoint(api.catalogue.readArticle, { article: translated, track: buildTrack(1), related: [] });
    const { user } = await renderApp(`/articles/read/${toId(1)}`);
    const button = await screen.findByRole('button', { name: 'Translation', pressed: false });
    expect(screen.queryByText('Era tarde.')).not.toBeInTheDocument();
    await user.click(button);
    expect(screen.getByText('Era tarde.')).toHaveAttribute('lang', 'es');
    await user.click(button);
    expect(screen.queryByText('Era tarde.')).not.toBeInTheDocument();
  });

  it('[PLAY-07] lists have a menu for each article', async () => {
    mockEndpoint(api.catalogue.findArticles, { docs: [buildTrack(1)], totalDocs: 1 });
    mockEndpoint(api.catalogue.search, buildSearchResults([]));
    const { user } = await renderApp('/articles/latest');
    await user.click(await screen.findByRole('button', { name: 'More for Track 1' }));
    const names = (await screen.findAllByRole('menuitem')).map((item) => item.textContent);
    expect(names).toEqual([
      'Play next',
      'Add to queue',
      'Add to playlist',
      'Add to favorites',
      'Go to article',
      'Share',
    ]);
  });

  it('[PLAY-04] shows users without a subscription that it needs one', async () => {
    mockSignedInUser(ana, free);
    mockEndpoint(api.catalogue.readArticle, { article, track: buildTrack(1, { url: null }), related: [] });
    await renderApp(`/articles/read/${toId(1)}`);
    expect(await screen.findByRole('button', { name: 'Listen, needs a subscription' })).toBeInTheDocument();
  });

  it('[SHELL-11] shows the not-found page for an unknown id', async () => {
    mockEndpoint(api.catalogue.readArticle, 'not_found');
    await renderApp(`/articles/read/${toId(9)}`);
    expect(
      await screen.findByRole('heading', { name: 'There is nothing at this address' }),
    ).toBeInTheDocument();
  });
});
