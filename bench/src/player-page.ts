import { randomUUID } from 'node:crypto';
import { api, type ProgressEntry, type Track } from '@escucho/contracts';
import type { BrowserContext, CDPSession, Locator, Page } from 'playwright-core';
import type { Bench } from './figure.ts';

/** A page of a context at Discover, at rest, as wide as a desk's, and a session with its browser. */
export async function openDiscover(
  context: BrowserContext,
  origin: string,
): Promise<{ page: Page; session: CDPSession }> {
  const page = await context.newPage();
  await page.setViewportSize({ width: 1440, height: 900 });
  const session = await context.newCDPSession(page);
  // A line that stays open, for news: the network would never rest.
  await session.send('Network.enable');
  await session.send('Network.setBlockedURLs', { urls: ['*/api/notifications/stream'] });
  await page.goto(`${origin}/discover`);
  await page.getByRole('region', { name: 'Latest articles', exact: true }).waitFor();
  await page.waitForLoadState('networkidle');
  return { page, session };
}

/** The button that plays the newest track. */
export const newest = (page: Page): Locator =>
  page
    .getByRole('region', { name: 'Latest articles', exact: true })
    .getByRole('button', { name: /^Play (?!all of )/ })
    .first();

/** A button of the player. */
export const control = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('region', { name: 'Player' }).getByRole('button', { name, exact: true });

/** Asks the portal as the subscriber. Throws on a refusal. */
export async function ask({ origin, bearer }: Bench, path: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${origin}/api${path}`, {
    headers: { authorization: bearer, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** The newest tracks, with their addresses. */
export async function newestTracks(bench: Bench): Promise<readonly Track[]> {
  const { rows } = api.catalogue.discover.response.parse(await ask(bench, api.catalogue.discover.path));
  return rows[0]?.tracks ?? [];
}

/** Tracks begin anew: what was left by a round would be sought by the next. */
export async function rewind(bench: Bench, tracks: readonly Track[]): Promise<void> {
  for (const { _id: track, duration } of tracks) {
    const entry: ProgressEntry = {
      track,
      device: randomUUID(),
      sequence: 1,
      position: duration,
      cause: 'ended',
    };
    await ask(bench, api.listening.saveProgress.path, entry);
  }
}
