import type { Browser } from 'playwright-core';
import { contextOf, openBrowser } from './browser.ts';
import { heardAfter, timeClicks } from './clicks.ts';
import type { Bench, Figure, Measurement, OpenBench } from './figure.ts';

const rounds = 5;

/** Discover's first track, then its second, in one visit. */
async function ours(browser: Browser, { origin, state }: Bench): Promise<[number, number]> {
  const context = await contextOf(browser, state);
  await timeClicks(context);
  const page = await context.newPage();
  // A line that stays open, for news: the network would never rest.
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setBlockedURLs', { urls: ['*/api/notifications/stream'] });
  await page.goto(`${origin}/discover`);
  const tracks = page
    .getByRole('region', { name: 'Latest articles', exact: true })
    .getByRole('button', { name: /^Play (?!all of )/ });
  const names = await Promise.all([0, 1].map((index) => tracks.nth(index).getAttribute('aria-label')));
  await page.waitForLoadState('networkidle');
  const times: number[] = [];
  for (const name of names) {
    await page
      .getByRole('button', { name: name ?? '', exact: true })
      .first()
      .click();
    times.push(await heardAfter(page));
  }
  await context.close();
  return [times[0] ?? Number.NaN, times[1] ?? Number.NaN];
}

/** The same two files by a button and an audio element on an empty page of the same origin. */
async function bare(browser: Browser, { origin }: Bench, urls: readonly string[]): Promise<[number, number]> {
  const context = await contextOf(browser);
  await timeClicks(context);
  const page = await context.newPage();
  const buttons = urls
    .map((url, index) => `<button onclick="a.src='${url}';a.play()">${index}</button>`)
    .join('');
  await page.route(`${origin}/bare`, (route) =>
    route.fulfill({ contentType: 'text/html', body: `<!doctype html><audio id="a"></audio>${buttons}` }),
  );
  await page.goto(`${origin}/bare`);
  const times: number[] = [];
  for (const index of urls.keys()) {
    await page.getByRole('button', { name: String(index) }).click();
    times.push(await heardAfter(page));
  }
  await context.close();
  return [times[0] ?? Number.NaN, times[1] ?? Number.NaN];
}

interface Discover {
  rows: { tracks: { url: string | null }[] }[];
}

async function audioUrls({ origin, bearer }: Bench): Promise<string[]> {
  const answer = await fetch(`${origin}/api/catalogue/discover`, { headers: { authorization: bearer } });
  const discover: Discover = await answer.json();
  const tracks = discover.rows[0]?.tracks ?? [];
  return tracks.slice(0, 2).flatMap(({ url }) => (url ? [url.replaceAll('&', '&amp;')] : []));
}

async function measure(open: OpenBench): Promise<Figure[]> {
  const bench = await open();
  const urls = await audioUrls(bench);
  const browser = await openBrowser();
  const [first, second, bareFirst, bareSecond]: [number[], number[], number[], number[]] = [[], [], [], []];
  try {
    for (let round = 0; round < rounds; round += 1) {
      const [one, two] = await ours(browser, bench);
      first.push(one);
      second.push(two);
      const [bareOne, bareTwo] = await bare(browser, bench, urls);
      bareFirst.push(bareOne);
      bareSecond.push(bareTwo);
    }
  } finally {
    await browser.close();
  }
  return [
    { what: 'first play of a visit', unit: 'ms', ours: first, ceiling: bareFirst },
    { what: 'next track played', unit: 'ms', ours: second, ceiling: bareSecond },
  ];
}

export const sound: Measurement = {
  name: 'sound',
  title: 'Click to audio',
  how: `From a click on a card's play button to the first frame after \`playing\` in which the position has advanced; ${rounds} interleaved rounds in new browsers. Ceiling: a button and an audio element on an empty page of the same origin, with the same files from the same server.`,
  measure,
};
