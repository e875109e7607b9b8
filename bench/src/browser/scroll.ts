import type { CDPSession, Page } from 'playwright-core';
import type { Measurement, OpenEnvironment, Options, Result } from '../measurement.ts';
import { startBareServer } from '../support/bare-server.ts';
import { openBrowser, openContext } from '../support/browser.ts';
import { getCatalogueDir, withGeneratedCatalogue } from '../support/generated-catalogue.ts';

const ROUNDS = 3;
const DEFAULT_ARTICLES = 500_000;
const ROWS = 100_000;
const ROW_HEIGHT = 80;
const WHEEL_PIXELS = 40_000;
const WHEEL_PIXELS_PER_SECOND = 4000;
const DRAG_SECONDS = 5;
/** A longer frame has skipped one: at 60 Hz a frame takes 16.7 ms. */
const LATE_FRAME_MS = 25;
const LIST_PATH = '/articles/topic/culture';

/** A page as high as the list, with painted stripes and no code. */
const BARE_PAGE = `<!doctype html><title>Bare</title><body style="margin:0"><div style="height:${ROWS * ROW_HEIGHT}px;background:repeating-linear-gradient(#eee 0 40px,#ddd 40px 80px)">`;

interface Frames {
  perSecond: number[];
  latePercent: number[];
}

interface Samples {
  wheel: Frames;
  drag: Frames;
}

const createSamples = (): Samples => ({
  wheel: { perSecond: [], latePercent: [] },
  drag: { perSecond: [], latePercent: [] },
});

declare global {
  interface Window {
    frameTimes?: number[];
  }
}

/** Records frame times while `work` runs. */
async function recordFrames(page: Page, work: () => Promise<unknown>, samples: Frames): Promise<void> {
  await page.evaluate(() => {
    const times: number[] = [];
    window.frameTimes = times;
    const recordFrame = (now: number) => {
      if (window.frameTimes !== times) return;
      times.push(now);
      requestAnimationFrame(recordFrame);
    };
    requestAnimationFrame(recordFrame);
  });
  await work();
  const times = await page.evaluate(() => {
    const recorded = window.frameTimes ?? [];
    delete window.frameTimes;
    return recorded;
  });
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? time));
  const spent = gaps.reduce((sum, gap) => sum + gap, 0);
  samples.perSecond.push((1000 * gaps.length) / spent);
  samples.latePercent.push((100 * gaps.filter((gap) => gap > LATE_FRAME_MS).length) / gaps.length);
}

const scrollByWheel = (session: CDPSession) =>
  session.send('Input.synthesizeScrollGesture', {
    x: 600,
    y: 450,
    yDistance: -WHEEL_PIXELS,
    speed: WHEEL_PIXELS_PER_SECOND,
    gestureSourceType: 'mouse',
    preventFling: true,
  });

/**
 * Scrolls at every frame, as dragging the scrollbar does, to an offset in pixels.
 *
 * @returns Milliseconds from the release to visible rows.
 */
const dragScrollbar = (page: Page, to: number, hasRows: boolean) =>
  page.evaluate(
    ({ to, seconds, hasRows }) =>
      new Promise<number>((resolve) => {
        const [from, startedAt] = [scrollY, performance.now()];
        let releasedAt = 0;
        const step = (now: number) => {
          const progress = Math.min(1, Math.max(0, now - startedAt) / 1000 / seconds);
          if (!releasedAt) scrollTo({ top: from + (to - from) * progress, behavior: 'instant' });
          if (progress === 1) releasedAt ||= now;
          if (releasedAt && (!hasRows || document.querySelector('li article'))) resolve(now - releasedAt);
          else requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
      }),
    { to, seconds: DRAG_SECONDS, hasRows },
  );

/** Returns the JavaScript heap after garbage collection, in MB. */
async function readHeapMb(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 2 ** 20;
}

/**
 * Scrolls from the top by the wheel, then by the scrollbar to a share of the list. Returns the milliseconds to visible
 * rows.
 */
async function measureScroll(
  page: Page,
  session: CDPSession,
  samples: Samples,
  share: number,
  hasRows: boolean,
) {
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  if (hasRows) await page.getByRole('listitem').getByRole('article').first().waitFor();
  await recordFrames(page, () => scrollByWheel(session), samples.wheel);
  let waitMs = 0;
  const drag = async () => {
    waitMs = await dragScrollbar(page, ROWS * ROW_HEIGHT * share, hasRows);
  };
  await recordFrames(page, drag, samples.drag);
  return waitMs;
}

async function measure(
  open: OpenEnvironment,
  { items = DEFAULT_ARTICLES, data }: Options,
): Promise<Result[]> {
  const environment = await open(getCatalogueDir({ items }, data));
  await withGeneratedCatalogue(environment, { items }, async () => {});
  const bareServer = await startBareServer({
    '/': { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: BARE_PAGE },
  });
  const browser = await openBrowser();
  const [ours, ceiling] = [createSamples(), createSamples()];
  const memory: number[][] = [];
  const waitTimes: number[] = [];
  try {
    const context = await openContext(browser, environment.state);
    const [page, barePage] = [await context.newPage(), await context.newPage()];
    const [session, bareSession] = [await context.newCDPSession(page), await context.newCDPSession(barePage)];
    for (const one of [page, barePage]) await one.setViewportSize({ width: 1440, height: 900 });
    await barePage.goto(bareServer.origin);
    await page.goto(`${environment.origin}${LIST_PATH}`);
    await page.getByRole('listitem').getByRole('article').first().waitFor();
    memory.push([await readHeapMb(session)]);
    for (let round = 0; round < ROUNDS; round += 1) {
      // Another part of the list each time, since pages are cached.
      const share = 0.99 - round / 10;
      await page.bringToFront();
      waitTimes.push(await measureScroll(page, session, ours, share, true));
      memory.push([await readHeapMb(session)]);
      await barePage.bringToFront();
      await measureScroll(barePage, bareSession, ceiling, share, false);
    }
  } finally {
    await browser.close();
    await bareServer.stop();
  }
  const compare = (what: string, name: keyof Samples): Result[] => [
    {
      label: `${what}, frames per second`,
      unit: '/s',
      values: ours[name].perSecond,
      ceiling: ceiling[name].perSecond,
    },
    {
      label: `${what}, dropped frames per hundred`,
      unit: '',
      values: ours[name].latePercent,
      ceiling: ceiling[name].latePercent,
    },
  ];
  return [
    ...compare('mouse wheel, 50 rows per second', 'wheel'),
    ...compare(`scrollbar, ${ROWS.toLocaleString('en')} rows in ${DRAG_SECONDS} s`, 'drag'),
    { label: 'from releasing the scrollbar to visible rows', unit: 'ms', values: waitTimes },
    ...memory.map((values, round) => ({
      label: round === 0 ? 'heap at the start' : `heap after round ${round}`,
      unit: 'MB',
      values,
    })),
  ];
}

export const scroll: Measurement = {
  name: 'scroll',
  title: 'List of 100,000 rows',
  method: `The list of a topic in the catalogue of ${DEFAULT_ARTICLES.toLocaleString('en')} articles (\`--data DIR\` as above), in a viewport of 1440 × 900; ${ROUNDS} interleaved rounds from the top by the mouse wheel, then by the scrollbar to the end. Ceiling: an equally high page with painted stripes and no code. Heap: after garbage collection.`,
  measure,
  explicitOnly: true,
};
