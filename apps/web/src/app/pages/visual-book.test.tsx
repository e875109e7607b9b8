// Loaded before the tests, so that none of them waits for it.
import '../containers/signed-in-services.tsx';
import { type Article, api, limits } from '@escucho/contracts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { play, seekTo } from '#features/player/player.ts';
import { buildArticle, buildTrack, latestSource, toId } from '#features/player/testing/fixtures.ts';
import { ana, free, getCurrentUrl, mockAudio, mockSignedInUser, renderApp } from '#testing/app.tsx';
import { mockEndpoint } from '#testing/server.ts';

const track = { ...buildTrack(1), kind: 'visual-book' as const, title: 'The Moon in the Bucket' };
const page = (title: string, start: number) => ({
  title,
  start,
  alt: `Picture of ${title}`,
  image: '/x.webp',
});
const sentence = (text: string, at: number, start: number) => ({
  text,
  translation: null,
  start,
  end: start + 4,
  paragraph: at,
  chapter: null,
  page: at,
});
const article: Article = {
  ...buildArticle(1),
  title: track.title,
  kind: 'visual-book',
  pages: [page('The well', 0), page('The bucket', 5), page('The moon', 10)],
  sentences: [
    sentence('There was a well.', 0, 0),
    sentence('There was a bucket.', 1, 5),
    sentence('There was a moon.', 2, 10),
  ],
};
const path = `/visual-book/${track._id}`;

beforeEach(() => {
  mockSignedInUser();
});

describe('[CAT-06] the list of visual books', () => {
  it('links to each book', async () => {
    mockEndpoint(api.catalogue.findArticles, { docs: [track], totalDocs: 1 });
    mockEndpoint(api.catalogue.readArticle, { article, track, related: [] });
    const { user } = await renderApp('/visual-book');
    await user.click(await screen.findByRole('link', { name: /The Moon in the Bucket/ }));
    expect(await screen.findByRole('heading', { level: 1, name: track.title })).toBeInTheDocument();
    await waitFor(() => expect(getCurrentUrl()).toBe(`${path}?page=1`));
  });

  it('[CAT-09] shows an empty state', async () => {
    mockEndpoint(api.catalogue.findArticles, { docs: [], totalDocs: 0 });
    await renderApp('/visual-book');
    expect(await screen.findByText('No visual books yet')).toBeInTheDocument();
  });

  it('[CAT-09] shows an error and retries', async () => {
    mockEndpoint(api.catalogue.findArticles, 'internal');
    const { user } = await renderApp('/visual-book');
    const again = await screen.findByRole('button', { name: 'Try again' });
    mockEndpoint(api.catalogue.findArticles, { docs: [track], totalDocs: 1 });
    await user.click(again);
    expect(await screen.findByRole('link', { name: /The Moon/ })).toBeInTheDocument();
  });

  it('[CAT-09] shows that the next page failed', async () => {
    const docs = Array.from({ length: limits.pageSize.default }, (_, index) => buildTrack(index + 1));
    mockEndpoint(api.catalogue.findArticles, { docs, totalDocs: docs.length + 1 });
    const { user } = await renderApp('/visual-book');
    const button = await screen.findByRole('button', { name: 'Show more' });
    mockEndpoint(api.catalogue.findArticles, 'not_found');
    await user.click(button);
    expect(await screen.findByRole('alert')).toHaveTextContent('We could not find this.');
    expect(screen.getByRole('button', { name: 'Try again' })).toBeInTheDocument();
  });
});

describe('[CAT-06] a visual book', () => {
  beforeEach(() => {
    mockEndpoint(api.catalogue.readArticle, { article, track, related: [] });
  });

  it('turns pages by buttons and arrow keys and updates the URL', async () => {
    const { user } = await renderApp(path);
    const region = await screen.findByRole('region', { name: 'Page 1 of 3' });
    expect(within(region).getByRole('img', { name: 'Picture of The well' })).toHaveAttribute('lang', 'en');
    expect(within(region).getByText('There was a well.')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    expect(await screen.findByRole('region', { name: 'Page 2 of 3' })).toBeInTheDocument();
    await user.keyboard('{ArrowRight}');
    expect(await screen.findByText('There was a moon.')).toBeInTheDocument();
    await waitFor(() => expect(getCurrentUrl()).toBe(`${path}?page=3`));
    expect(screen.getByRole('button', { name: 'Next page' })).toHaveAttribute('aria-disabled', 'true');
    await user.keyboard('{ArrowLeft}');
    expect(await screen.findByRole('region', { name: 'Page 2 of 3' })).toBeInTheDocument();
  });

  it('turns by two pages on two presses before the first page is rendered', async () => {
    await renderApp(path);
    await screen.findByRole('region', { name: 'Page 1 of 3' });
    const next = screen.getByRole('button', { name: 'Next page' });
    act(() => {
      next.click();
      next.click();
    });
    expect(await screen.findByRole('region', { name: 'Page 3 of 3' })).toBeInTheDocument();
  });

  it('turns from the page of the saved position before the address has it', async () => {
    mockEndpoint(api.catalogue.readArticle, { article, track: { ...track, progress: 6 }, related: [] });
    const { user } = await renderApp(path);
    await screen.findByRole('region', { name: 'Page 2 of 3' });
    await waitFor(() => expect(getCurrentUrl()).toBe(`${path}?page=2`));
    history.replaceState(history.state, '', path);
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    expect(await screen.findByRole('region', { name: 'Page 3 of 3' })).toBeInTheDocument();
  });

  it('the button of the next page can have the focus at the last page', async () => {
    const { user } = await renderApp(`${path}?page=3`);
    await screen.findByRole('region', { name: 'Page 3 of 3' });
    const next = screen.getByRole('button', { name: 'Next page' });
    next.focus();
    expect(next).toHaveFocus();
    await user.keyboard('{Enter}');
    expect(screen.getByRole('region', { name: 'Page 3 of 3' })).toBeInTheDocument();
  });

  it('opens at the page of the URL', async () => {
    await renderApp(`${path}?page=3`);
    expect(await screen.findByRole('region', { name: 'Page 3 of 3' })).toBeInTheDocument();
    const dot = screen.getByRole('button', { name: 'Page 3: The moon' });
    expect(dot).toHaveAttribute('aria-current', 'page');
  });

  it('[CAT-06] follows the narration, but not back from a page that is loading', async () => {
    mockEndpoint(api.catalogue.findArticle, 'not_found');
    mockEndpoint(api.listening.saveProgress, { track: track._id, progress: 0 });
    const { user } = await renderApp(path);
    await user.click(await screen.findByRole('button', { name: 'There was a well.' }));
    act(() => seekTo(5));
    await waitFor(() => expect(getCurrentUrl()).toBe(`${path}?page=2`));
    // As a navigation does, before the other page is rendered.
    history.pushState(null, '', '/library');
    act(() => seekTo(10));
    expect(await screen.findByText('There was a moon.')).toBeInTheDocument();
    expect(getCurrentUrl()).toBe('/library');
  });

  it('[CAT-06] stays at a page that was opened while paused', async () => {
    mockEndpoint(api.catalogue.findArticle, 'not_found');
    mockEndpoint(api.listening.saveProgress, { track: track._id, progress: 0 });
    const { element, happens, loaded } = mockAudio();
    const { user } = await renderApp(path);
    const book = within(await screen.findByRole('region', { name: 'Page 1 of 3' }));
    await user.click(book.getByRole('button', { name: 'Listen' }));
    await user.click(await book.findByRole('button', { name: 'Pause' }));
    await loaded();
    happens('loadedmetadata');
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    // As browsers round it.
    element().currentTime = 4.999999;
    happens('timeupdate');
    expect(screen.getByRole('region', { name: 'Page 2 of 3' })).toBeInTheDocument();
  });

  it.each(['Listen, needs a subscription', 'There was a well.'])(
    '[PLAY-04] leaves the position of another track when the book is locked: %s',
    async (name) => {
      mockSignedInUser(ana, free);
      mockEndpoint(api.catalogue.readArticle, { article, track: { ...track, url: null }, related: [] });
      mockEndpoint(api.catalogue.findArticle, 'not_found');
      mockEndpoint(api.listening.saveProgress, { track: toId(9), progress: 42 });
      const { user } = await renderApp(path);
      const player = within(await screen.findByRole('region', { name: 'Player' }));
      play(latestSource, [buildTrack(9)], 0);
      seekTo(42);
      const slider = await player.findByRole('slider', { name: 'Position' });
      await waitFor(() => expect(slider).toHaveValue('42'));
      await user.click(await screen.findByRole('button', { name }));
      expect(await screen.findByRole('dialog', { name: 'Listen to everything' })).toBeInTheDocument();
      expect(slider).toHaveValue('42');
    },
  );

  it.each(['not_found', 'invalid_request'] as const)(
    '[SHELL-11] shows the not-found page for a wrong address: %s',
    async (code) => {
      mockEndpoint(api.catalogue.readArticle, code);
      await renderApp(path);
      expect(
        await screen.findByRole('heading', { name: 'There is nothing at this address' }),
      ).toBeInTheDocument();
    },
  );

  it('[SHELL-11] shows the not-found page for an article without pages', async () => {
    mockEndpoint(api.catalogue.readArticle, { article: { ...article, pages: [] }, track, related: [] });
    await renderApp(path);
    expect(
      await screen.findByRole('heading', { name: 'There is nothing at this address' }),
    ).toBeInTheDocument();
  });
});
