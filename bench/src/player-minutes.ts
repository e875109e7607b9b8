import type { CDPSession, Page } from 'playwright-core';
import { contextOf, openBrowser } from './browser.ts';
import type { Bench, Figure } from './figure.ts';
import { control, newest, newestTracks, openDiscover, rewind } from './player-page.ts';

declare global {
  interface Window {
    /** Milliseconds of each task of 50 or more since somebody asked. */
    longTasks?: number[];
  }
}

/** What Chromium counts of a page, in seconds. */
async function workOf(session: CDPSession): Promise<{ script: number; tasks: number }> {
  const { metrics } = await session.send('Performance.getMetrics');
  const named = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
  return { script: named('ScriptDuration'), tasks: named('TaskDuration') };
}

/** Lets a page play for some minutes. Throws where it does not play on. */
async function playOn(page: Page, minutes: number): Promise<void> {
  const until = Date.now() + minutes * 60_000;
  while (Date.now() < until) {
    await page.waitForTimeout(Math.min(10_000, until - Date.now()));
    await page.getByRole('button', { name: 'Pause', exact: true }).last().waitFor({ timeout: 5_000 });
  }
}

/** What playing costs, and the long tasks meanwhile. In: where the reader is, for the figures' names. */
async function observe(page: Page, session: CDPSession, minutes: number, where: string): Promise<Figure[]> {
  await page.evaluate(() => {
    window.longTasks = [];
  });
  const before = await workOf(session);
  await playOn(page, minutes);
  const after = await workOf(session);
  const long = await page.evaluate(() => window.longTasks ?? []);
  const aMinute = (name: 'script' | 'tasks') => [((after[name] - before[name]) * 1000) / minutes];
  return [
    { what: `${where}, script time per minute`, unit: 'ms', ours: aMinute('script') },
    { what: `${where}, total task time per minute`, unit: 'ms', ours: aMinute('tasks') },
    { what: `${where}, long tasks in ${minutes} min`, unit: '', ours: [long.length] },
    { what: `${where}, longest long task`, unit: 'ms', ours: [Math.max(0, ...long)] },
  ];
}

/** The work of playing for some minutes, half of them on Discover, half with the text open. */
export async function measureMinutes(bench: Bench, minutes: number): Promise<Figure[]> {
  await rewind(bench, await newestTracks(bench));
  const browser = await openBrowser();
  try {
    const context = await contextOf(browser, bench.state);
    await context.addInitScript(() => {
      new PerformanceObserver((list) => {
        window.longTasks?.push(...list.getEntries().map(({ duration }) => duration));
      }).observe({ type: 'longtask' });
    });
    const { page, session } = await openDiscover(context, bench.origin);
    await session.send('Performance.enable');
    await newest(page).click();
    await control(page, 'Pause').waitFor();
    const onDiscover = await observe(page, session, minutes / 2, 'Discover');
    await control(page, /^Open the player/).click();
    const text = page.getByRole('dialog', { name: 'Player' });
    await text.getByRole('region', { name: /^Text of/ }).waitFor();
    const reading = await observe(page, session, minutes / 2, 'text open');
    return [...onDiscover, ...reading];
  } finally {
    await browser.close();
  }
}
