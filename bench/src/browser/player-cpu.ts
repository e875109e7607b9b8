import type { CDPSession, Page } from 'playwright-core';
import type { Environment, Result } from '../measurement.ts';
import { openBrowser, openContext } from '../support/browser.ts';
import { fetchNewestTracks, getButton, getNewest, openDiscover, resetProgress } from './player-page.ts';

declare global {
  interface Window {
    /** The durations of tasks of 50 ms or more, in milliseconds. */
    longTasks?: number[];
  }
}

/** Returns the CPU time of a page, in seconds, as counted by Chromium. */
async function readCpuTime(session: CDPSession): Promise<{ script: number; tasks: number }> {
  const { metrics } = await session.send('Performance.getMetrics');
  const getMetric = (key: string) => metrics.find(({ name }) => name === key)?.value ?? Number.NaN;
  return { script: getMetric('ScriptDuration'), tasks: getMetric('TaskDuration') };
}

/** Waits for some minutes. Throws if playback stops. */
async function playFor(page: Page, minutes: number): Promise<void> {
  const until = Date.now() + minutes * 60_000;
  while (Date.now() < until) {
    await page.waitForTimeout(Math.min(10_000, until - Date.now()));
    await page.getByRole('button', { name: 'Pause', exact: true }).last().waitFor({ timeout: 5_000 });
  }
}

/** Measures CPU time and long tasks during playback. */
async function measurePeriod(
  page: Page,
  session: CDPSession,
  minutes: number,
  prefix: string,
): Promise<Result[]> {
  await page.evaluate(() => {
    window.longTasks = [];
  });
  const before = await readCpuTime(session);
  await playFor(page, minutes);
  const after = await readCpuTime(session);
  const longTasks = await page.evaluate(() => window.longTasks ?? []);
  const getPerMinute = (name: 'script' | 'tasks') => [((after[name] - before[name]) * 1000) / minutes];
  return [
    { label: `${prefix}, script time per minute`, unit: 'ms', values: getPerMinute('script') },
    { label: `${prefix}, total task time per minute`, unit: 'ms', values: getPerMinute('tasks') },
    { label: `${prefix}, long tasks in ${minutes} min`, unit: '', values: [longTasks.length] },
    { label: `${prefix}, longest long task`, unit: 'ms', values: [Math.max(0, ...longTasks)] },
  ];
}

/** Measures playback, half of the time on Discover and half with the text open. */
export async function measureMinutes(environment: Environment, minutes: number): Promise<Result[]> {
  await resetProgress(environment, await fetchNewestTracks(environment));
  const browser = await openBrowser();
  try {
    const context = await openContext(browser, environment.state);
    await context.addInitScript(() => {
      new PerformanceObserver((list) => {
        window.longTasks?.push(...list.getEntries().map(({ duration }) => duration));
      }).observe({ type: 'longtask' });
    });
    const { page, session } = await openDiscover(context, environment.origin);
    await session.send('Performance.enable');
    await getNewest(page).click();
    await getButton(page, 'Pause').waitFor();
    const onDiscover = await measurePeriod(page, session, minutes / 2, 'Discover');
    await getButton(page, /^Open the player/).click();
    const text = page.getByRole('dialog', { name: 'Player' });
    await text.getByRole('region', { name: /^Text of/ }).waitFor();
    const withText = await measurePeriod(page, session, minutes / 2, 'text open');
    return [...onDiscover, ...withText];
  } finally {
    await browser.close();
  }
}
