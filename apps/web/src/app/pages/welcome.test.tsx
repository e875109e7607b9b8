import { api, type Preview, type ResponseBody, type Sample } from '@escucho/contracts';
import { offeringsJson, productsJson } from '@escucho/purchases/testing';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, it, vi } from 'vitest';
import { setLanguage } from '#shared/i18n/i18n.ts';
import { getCurrentUrl, mockSignedInUser, renderApp } from '#testing/app.tsx';
import { billingConfig } from '#testing/billing.ts';
import { getLastQuery, mockEndpoint, server } from '#testing/server.ts';

const id = '00000000-0000-4000-8000-000000000101';
const preview: Preview = {
  _id: id,
  title: 'El gallo de la azotea',
  summary: 'Un gallo canta.',
  kind: 'article',
  language: 'es',
  level: 'A1',
  duration: 90,
  image: '/media/small.avif',
  artwork: '/media/large.webp',
};
const sentence = (number: number) => ({
  text: `Frase ${number}.`,
  translation: `Sentence ${number}.`,
  start: number * 2,
  end: number * 2 + 2,
  paragraph: 0,
  chapter: null,
  page: null,
});
const sample: Sample = {
  ...preview,
  slug: 'el-gallo',
  translationLanguage: 'en',
  topic: 'animals',
  narrator: { name: 'Carmen', image: null },
  publishedAt: '2026-10-29T00:00:00.000Z',
  chapters: [],
  pages: [],
  sentences: [sentence(0), sentence(1)],
  url: '/media/audio.mp3?signature=x',
};
const showcase: ResponseBody<typeof api.visitors.findShowcase> = { sample, newest: [preview], totalDocs: 20 };

/** Opens the page where plans are sold; the configuration is requested once in a file. */
const renderWelcome = (url = '/welcome') => renderApp(url, {}, { billing: billingConfig });

function mockOfferings(offerings: object): void {
  server.use(
    http.get('*/billing/v1/subscribers/visitor/offerings', () => HttpResponse.json(offerings)),
    http.get('*/billing/rcbilling/v1/subscribers/visitor/products', () => HttpResponse.json(productsJson)),
  );
}

/** Returns the one audio element, with the methods that jsdom lacks. */
function getAudio(): HTMLAudioElement {
  const audio = document.querySelector('audio');
  if (!audio) throw new Error('There is no audio element.');
  return audio;
}

beforeEach(() => {
  mockOfferings(offeringsJson);
  let isPaused = true;
  vi.spyOn(HTMLMediaElement.prototype, 'paused', 'get').mockImplementation(() => isPaused);
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockImplementation(async function (this: HTMLMediaElement) {
    isPaused = false;
    fireEvent.play(this);
  });
  vi.spyOn(HTMLMediaElement.prototype, 'pause').mockImplementation(function (this: HTMLMediaElement) {
    isPaused = true;
    fireEvent.pause(this);
  });
});

it('shows visitors a sample of the language they do not read, and plays it', async () => {
  const requests = mockEndpoint(api.visitors.findShowcase, showcase);
  const { user } = await renderWelcome();
  await user.click(await screen.findByRole('button', { name: 'Play El gallo de la azotea' }));
  expect(getLastQuery(requests)).toEqual({ language: 'es' });
  expect(getAudio()).toHaveAttribute('src', sample.url);
  getAudio().currentTime = 3;
  const text = screen.getByRole('region', { name: 'Text of El gallo de la azotea' });
  // Its name is in the language of the page.
  expect(text.closest('[lang]')).toHaveAttribute('lang', 'en');
  expect(within(text).getByText('Frase 1.').closest('[lang]')).toHaveAttribute('lang', 'es');
  await waitFor(() => expect(within(text).getByText('Frase 1.')).toHaveAttribute('aria-current', 'true'));
  expect(within(text).queryByText('Sentence 1.')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Translation', pressed: false }));
  expect(within(text).getByText('Sentence 1.')).toHaveAttribute('lang', 'en');
  await user.click(screen.getByRole('button', { name: 'Pause El gallo de la azotea' }));
  expect(screen.getByRole('button', { name: 'Play El gallo de la azotea' })).toBeInTheDocument();
});

it('changes the sample with the language', async () => {
  const requests = mockEndpoint(api.visitors.findShowcase, showcase);
  const { user } = await renderWelcome();
  await user.click(await screen.findByRole('radio', { name: 'English' }));
  expect(await screen.findByRole('heading', { name: 'New in English' })).toBeInTheDocument();
  await waitFor(() => expect(getLastQuery(requests)).toEqual({ language: 'en' }));
});

it('leads to sign-up, sign-in, the terms, and to an article by its cover', async () => {
  mockEndpoint(api.visitors.findShowcase, showcase);
  await renderWelcome();
  const getTarget = async (name: string) =>
    (await screen.findAllByRole('link', { name }))[0]?.getAttribute('href');
  expect(await getTarget('Create an account')).toBe('/auth/sign-up');
  expect(await getTarget('Sign in')).toBe('/auth/sign-in');
  expect(await getTarget('Privacy')).toBe('/privacy');
  expect(await getTarget('El gallo de la azotea')).toBe(`/articles/read/${id}`);
  expect(document.title).toBe('Escucho: learn Spanish or English by listening');
});

it('is linked from sign-in, and in Spanish', async () => {
  mockEndpoint(api.visitors.findShowcase, showcase);
  const { user } = await renderWelcome('/auth/sign-in');
  await user.click(await screen.findByRole('link', { name: 'What is Escucho?' }));
  await screen.findByRole('heading', { level: 1 });
  expect(getCurrentUrl()).toBe('/welcome');
  await setLanguage('es');
  expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent(/^Historias en el idioma/);
  await setLanguage('en');
});

it('leads a signed-in visitor into the app', async () => {
  mockSignedInUser();
  mockEndpoint(api.visitors.findShowcase, showcase);
  await renderWelcome();
  const [link] = await screen.findAllByRole('link', { name: 'Open Escucho' });
  expect(link).toHaveAttribute('href', '/discover');
  expect(screen.queryByRole('link', { name: 'Sign in' })).toBeNull();
});

it('shows the page without sample and covers where the catalogue is empty', async () => {
  mockEndpoint(api.visitors.findShowcase, { sample: null, newest: [], totalDocs: 0 });
  await renderWelcome();
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'New in Spanish' })).toBeNull());
  expect(document.querySelector('audio')).toBeNull();
  expect(screen.getByRole('heading', { level: 1 })).toBeInTheDocument();
});

it('offers to fetch the sample again when its recording does not load', async () => {
  const requests = mockEndpoint(api.visitors.findShowcase, showcase);
  const { user } = await renderWelcome();
  await screen.findByRole('button', { name: 'Play El gallo de la azotea' });
  fireEvent.error(getAudio());
  await user.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('region', { name: /^Text of/ })).toBeInTheDocument();
  expect(requests).toHaveLength(2);
});

it('[SUB-01] shows the plans with their prices', async () => {
  mockEndpoint(api.visitors.findShowcase, showcase);
  await renderWelcome();
  const section = (await screen.findByRole('heading', { name: 'What it costs' })).closest('section');
  const names = within(section ?? document.body).getAllByRole('heading', { level: 3 });
  expect(names.map(({ parentElement }) => parentElement?.textContent?.replace(/\s/g, ' '))).toEqual([
    'YearlyUSD 27 per yearUSD 2.25 a month3-day free trialSaves 30%',
    'Six monthsUSD 15 every 6 monthsUSD 2.50 a month3-day free trialSaves 16%',
    'MonthlyUSD 3 per month3-day free trial',
  ]);
});

it('fetches prices only for a visitor who comes near them', async () => {
  const comeNear: (() => void)[] = [];
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(callback: (entries: { isIntersecting: boolean }[]) => void) {
        comeNear.push(() => callback([{ isIntersecting: true }]));
      }
      observe = () => undefined;
      disconnect = () => undefined;
    },
  );
  const requested = vi.fn<(url: string) => void>();
  server.events.on('request:start', ({ request }) => requested(request.url));
  mockEndpoint(api.visitors.findShowcase, showcase);
  await renderWelcome();
  await screen.findByRole('button', { name: 'Play El gallo de la azotea' });
  expect(requested).not.toHaveBeenCalledWith(expect.stringContaining('/offerings'));
  for (const run of comeNear) act(run);
  expect(await screen.findByRole('heading', { name: 'What it costs' })).toBeInTheDocument();
});

it('shows no prices where no plan is sold', async () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  const answered = vi.fn();
  server.events.on('response:mocked', ({ request }) => {
    if (request.url.includes('/offerings')) answered();
  });
  mockOfferings({ current_offering_id: null, offerings: [] });
  mockEndpoint(api.visitors.findShowcase, showcase);
  await renderWelcome();
  await waitFor(() => expect(answered).toHaveBeenCalled());
  await screen.findByRole('button', { name: 'Play El gallo de la azotea' });
  expect(screen.queryByRole('heading', { name: 'What it costs' })).toBeNull();
});
