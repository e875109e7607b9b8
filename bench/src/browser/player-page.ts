import { randomUUID } from 'node:crypto';
import { api, type ProgressEntry, type Track } from '@escucho/contracts';
import type { BrowserContext, CDPSession, Locator, Page } from 'playwright-core';
import type { Environment } from '../measurement.ts';
import { openSession } from '../support/browser.ts';

/** Opens Discover in a desktop viewport and waits until the network is idle. */
export async function openDiscover(
  context: BrowserContext,
  origin: string,
): Promise<{ page: Page; session: CDPSession }> {
  const page = await context.newPage();
  await page.setViewportSize({ width: 1440, height: 900 });
  const session = await openSession(page);
  await page.goto(`${origin}/discover`);
  await page.getByRole('region', { name: 'Latest articles', exact: true }).waitFor();
  await page.waitForLoadState('networkidle');
  return { page, session };
}

/** Returns the play button of the newest track. */
export const getNewest = (page: Page): Locator =>
  page
    .getByRole('region', { name: 'Latest articles', exact: true })
    .getByRole('button', { name: /^Play (?!all of )/ })
    .first();

export const getButton = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('region', { name: 'Player' }).getByRole('button', { name, exact: true });

/** Calls the portal's API as the subscriber. Throws if the response is an error. */
export async function callApi(
  { origin, bearer }: Environment,
  path: string,
  body?: object,
): Promise<unknown> {
  const response = await fetch(`${origin}/api${path}`, {
    headers: { authorization: bearer, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

export async function fetchNewestTracks(environment: Environment): Promise<readonly Track[]> {
  const { rows } = api.catalogue.discover.response.parse(
    await callApi(environment, api.catalogue.discover.path),
  );
  return rows[0]?.tracks ?? [];
}

/** Marks tracks as finished, so that the next round does not resume at the position of the last one. */
export async function resetProgress(environment: Environment, tracks: readonly Track[]): Promise<void> {
  for (const { _id: track, duration } of tracks) {
    const entry: ProgressEntry = {
      track,
      device: randomUUID(),
      sequence: 1,
      position: duration,
      cause: 'ended',
    };
    await callApi(environment, api.listening.saveProgress.path, entry);
  }
}
