import type { BrowserContext, Page } from '@playwright/test';
import { api, type ProgressEntry } from '../../../packages/contracts/src/index.ts';
import { getFooter, getNewest } from '../../support/app/player.ts';
import { createUser, signIn } from '../../support/app/users.ts';
import {
  expectPaused,
  expectPlaying,
  expectPositionPast,
  getAudioState,
  getPlaybackStart,
  seekTo,
} from '../../support/audio/audio.ts';
import { test } from '../../support/isolated-product.ts';
import type { IsolatedProduct } from '../../support/product.ts';
import { createSeededRandom, type SeededRandom } from '../../support/seeded-random.ts';
import { expect } from '../../support/test.ts';

const crashCount = Number(process.env.KILLS ?? 6);
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);

/** The maximum loss of progress in a crash (PLAY-05). */
const MAX_LOST_SECONDS = 5;

declare global {
  interface Window {
    /** How late the page's timer ran, in milliseconds, at times of `performance.now()`. */
    eventLoopDelays?: { at: number; delay: number }[];
  }
}

/** Records the progress entries that the server acknowledged, and reads from the API what it stored. */
function recordAcknowledged(context: BrowserContext, origin: string) {
  const acknowledged: ProgressEntry[] = [];
  let bearer = '';
  const isProgress = (url: string) => new URL(url).pathname === `/api${api.listening.saveProgress.path}`;
  context.on('request', (request) => {
    if (isProgress(request.url())) bearer = request.headers().authorization ?? bearer;
  });
  context.on('response', (response) => {
    if (isProgress(response.url()) && response.ok()) acknowledged.push(response.request().postDataJSON());
  });

  const fetchJson = async (path: string) =>
    (await fetch(`${origin}/api${path}`, { headers: { authorization: bearer } })).json();
  return {
    acknowledged,
    /** Returns the entries that are acknowledged now and that the server does not have. */
    async findLost(): Promise<string[]> {
      // While the page plays, entries are acknowledged that are newer than what the server returns.
      const expected = [...acknowledged];
      const toKey = (device: unknown, sequence: unknown, track: unknown, position: unknown, cause: unknown) =>
        [device, sequence, track, Number(position).toFixed(3), cause].join(' ');
      const { records } = api.account.exportAccount.response.parse(
        await fetchJson(api.account.exportAccount.path),
      );
      const saved = new Set(
        (Object.entries(records).find(([table]) => table === 'listening_event')?.[1] ?? []).map((row) =>
          toKey(row.device_id, row.sequence, row.article_id, row.position, row.cause),
        ),
      );
      return expected
        .map((entry) => toKey(entry.device, entry.sequence, entry.track, entry.position, entry.cause))
        .filter((entry) => !saved.has(entry));
    },
    /** Returns the position at which another device would resume, in seconds. */
    async getResumePosition(): Promise<number> {
      const { docs } = api.listening.findContinueListening.response.parse(
        await fetchJson(api.listening.findContinueListening.path),
      );
      return docs[0]?.progress ?? Number.NaN;
    },
  };
}

const getButton = (page: Page, name: string | RegExp) => getFooter(page).getByRole('button', { name });

/** Opens the app and presses play. Returns the position at which playback starts, in seconds. */
async function resumePlayback(page: Page): Promise<number> {
  const discoverLoaded = page.waitForResponse(/\/api\/catalogue\/discover/, { timeout: 0 });
  await page.goto('/discover');
  expect((await discoverLoaded).ok()).toBe(true);
  await getFooter(page).getByRole('button', { name: 'Play', exact: true }).click();
  await expectPlaying(page);
  return getPlaybackStart(page);
}

async function playFor(page: Page, seconds: number): Promise<void> {
  await expectPositionPast(page, (await getAudioState(page)).position + seconds);
}

/** Performs a user action and returns its name. The track is longer than 90 seconds. */
async function performRandomAction(page: Page, random: SeededRandom): Promise<string> {
  const action = random.pick('listens', 'listens', 'seeks', 'changes the speed', 'pauses');
  const { position } = await getAudioState(page);
  if (action === 'seeks' || position > 75) {
    const slider = getFooter(page).getByRole('slider', { name: 'Position' });
    await seekTo(page, slider, Math.round(random.between(10, 60)));
  }
  if (action === 'changes the speed') await getButton(page, /^Speed/).click();
  await playFor(page, random.between(0.2, 7));
  if (action !== 'pauses') return action;
  await getButton(page, 'Pause').click();
  await expectPaused(page);
  return action;
}

/** Crashes the renderer process, so that the page cannot save anything. */
async function crash(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const crashed = page.waitForEvent('crash');
  session.send('Page.crash').catch(() => undefined);
  await crashed;
  await page.close();
}

const failures = ['server', 'server', 'page', 'tab', 'both'] as const;

const SAMPLE_PERIOD_MS = 100;

/**
 * Reads the position, and how much of it the page could not save because its event loop was blocked; seconds of audio.
 */
async function getLastPosition(page: Page): Promise<{ position: number; delay: number }> {
  const { position, paused, speed } = await getAudioState(page);
  if (paused) return { position, delay: 0 };
  const delay = await page.evaluate(() => {
    const now = performance.now();
    const recent = (window.eventLoopDelays ?? []).filter(({ at }) => at > now - 10_000);
    return Math.max(now - (recent.at(-1)?.at ?? now), ...recent.map(({ delay }) => delay));
  });
  return { position, delay: (delay / 1000) * speed };
}

/**
 * Ends the server, the page or both, at a random moment or while progress is saved.
 *
 * @returns The last position that was read, how long the event loop had been blocked, and how much may have been played
 * unobserved until the end; seconds of audio.
 */
async function causeFailure(page: Page, product: IsolatedProduct, random: SeededRandom) {
  const failure = random.pick(...failures);
  const { paused, speed } = await getAudioState(page);
  if (!paused && random.next() < 0.4) await page.waitForRequest(/\/api\/listening\/progress/);
  let readAt = performance.now();
  let last = await getLastPosition(page);
  let endedAt = readAt;
  const recordEnd = async (end: Promise<void>) => {
    await end;
    endedAt = performance.now();
  };
  switch (failure) {
    case 'page':
      await recordEnd(crash(page));
      break;
    case 'tab':
      await recordEnd(page.close());
      break;
    case 'both':
      await Promise.all([product.kill(), recordEnd(crash(page))]);
      await product.restart();
      break;
    case 'server':
      await product.kill();
      // Buffered audio plays on without the server, and its progress counts.
      if (!paused && random.next() < 0.5) await playFor(page, random.between(0.5, 6));
      readAt = performance.now();
      last = await getLastPosition(page);
      await recordEnd(random.next() < 0.5 ? crash(page) : page.close());
      await product.restart();
      break;
  }
  const unobserved = paused ? 0 : ((endedAt - readAt) / 1000) * speed;
  return { ...last, unobserved, failure: `${failure} at speed ${speed}` };
}

test(`[PLAY-05] [PLAY-06] ${crashCount} crashes lose ${MAX_LOST_SECONDS} s at most, none saved`, async ({
  page,
  context,
  product,
  consoleErrors,
}) => {
  test.setTimeout(180_000 + crashCount * 60_000);
  // Requests fail while the server is down.
  consoleErrors.allow(/net::ERR_/, /does not play: network/, /Failed to fetch dynamically imported module/);
  test.info().annotations.push({ type: 'seed', description: String(seed) });
  console.log(`SEED=${seed} KILLS=${crashCount}`);
  await context.addInitScript((period) => {
    const eventLoopDelays: { at: number; delay: number }[] = [];
    window.eventLoopDelays = eventLoopDelays;
    let previous = performance.now();
    setInterval(() => {
      const at = performance.now();
      eventLoopDelays.push({ at, delay: at - previous - period });
      previous = at;
    }, period);
  }, SAMPLE_PERIOD_MS);
  const random = createSeededRandom(seed);
  const server = recordAcknowledged(context, product.origin);
  await signIn(page, await createUser(page.request));
  await getNewest(page).click();
  await expectPlaying(page);

  let currentPage = page;
  for (let round = 1; round <= crashCount; round += 1) {
    const action = await performRandomAction(currentPage, random);
    const { position, delay, unobserved, failure } = await causeFailure(currentPage, product, random);
    const minPosition = position - delay - MAX_LOST_SECONDS;
    const summary = `crash ${round}: the user ${action}, then ends: ${failure}, at ${position.toFixed(2)} s`;
    expect(await server.findLost(), summary).toEqual([]);
    currentPage = await context.newPage();
    const resumedAt = await resumePlayback(currentPage);
    console.log(`${summary}, resumes at ${resumedAt.toFixed(2)} s`);
    expect(resumedAt, summary).toBeGreaterThan(minPosition);
    expect(resumedAt, summary).toBeLessThan(position + unobserved + 1);
    await expect
      .poll(server.getResumePosition, { message: `${summary}: on another device` })
      .toBeGreaterThan(minPosition);
  }
  expect(server.acknowledged.length).toBeGreaterThanOrEqual(crashCount);
  expect(await server.findLost()).toEqual([]);
});
