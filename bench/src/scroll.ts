import type { CDPSession, Page } from 'playwright-core';
import { serveBare } from './bare.ts';
import { contextOf, openBrowser } from './browser.ts';
import type { Figure, Measurement, OpenBench, Options } from './figure.ts';
import { placeOf, withLibrary } from './library.ts';

const rounds = 3;
const articles = 500_000;
const rows = 100_000;
const rowHeight = 80;
const wheelPixels = 40_000;
const wheelPixelsASecond = 4000;
const dragSeconds = 5;
/** A frame that took longer than this has left one out: sixty in a second are 16.7 ms apart. */
const late = 25;
const list = '/articles/topic/culture';

/** As high as the list, striped like its rows, and nothing to do. */
const barePage = `<!doctype html><title>Bare</title><body style="margin:0"><div style="height:${rows * rowHeight}px;background:repeating-linear-gradient(#eee 0 40px,#ddd 40px 80px)">`;

interface Frames {
  perSecond: number[];
  lateInAHundred: number[];
}

interface Taken {
  wheel: Frames;
  drag: Frames;
}

const nothingTaken = (): Taken => ({
  wheel: { perSecond: [], lateInAHundred: [] },
  drag: { perSecond: [], lateInAHundred: [] },
});

declare global {
  interface Window {
    frameTimes?: number[];
  }
}

/** Notes when each frame began, while something is done. */
async function framesOf(page: Page, work: () => Promise<unknown>, into: Frames): Promise<void> {
  await page.evaluate(() => {
    const times: number[] = [];
    window.frameTimes = times;
    const note = (now: number) => {
      if (window.frameTimes !== times) return;
      times.push(now);
      requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
  });
  await work();
  const times = await page.evaluate(() => {
    const noted = window.frameTimes ?? [];
    delete window.frameTimes;
    return noted;
  });
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? time));
  const spent = gaps.reduce((sum, gap) => sum + gap, 0);
  into.perSecond.push((1000 * gaps.length) / spent);
  into.lateInAHundred.push((100 * gaps.filter((gap) => gap > late).length) / gaps.length);
}

const byWheel = (session: CDPSession) =>
  session.send('Input.synthesizeScrollGesture', {
    ...{ x: 600, y: 450, yDistance: -wheelPixels, speed: wheelPixelsASecond },
    ...{ gestureSourceType: 'mouse', preventFling: true },
  });

/**
 * What dragging the scrollbar does: at every frame the page is at another place. In: where to, in pixels; whether rows come
 * there. Out: milliseconds from letting go to a row.
 */
const byScrollbar = (page: Page, to: number, hasRows: boolean) =>
  page.evaluate(
    ({ to, seconds, hasRows }) =>
      new Promise<number>((resolve) => {
        const [from, began] = [scrollY, performance.now()];
        let letGo = 0;
        const step = (now: number) => {
          const done = Math.min(1, Math.max(0, now - began) / 1000 / seconds);
          if (!letGo) scrollTo({ top: from + (to - from) * done, behavior: 'instant' });
          if (done === 1) letGo ||= now;
          if (letGo && (!hasRows || document.querySelector('li article'))) resolve(now - letGo);
          else requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
      }),
    { to, seconds: dragSeconds, hasRows },
  );

/** Megabytes of the page's own objects, once what nothing refers to is gone. */
async function heap(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 2 ** 20;
}

/** From the top by the wheel, then by the scrollbar to a share of the list. Out: milliseconds until rows were there. */
async function scrolled(page: Page, session: CDPSession, into: Taken, share: number, hasRows: boolean) {
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  if (hasRows) await page.getByRole('listitem').getByRole('article').first().waitFor();
  await framesOf(page, () => byWheel(session), into.wheel);
  let waited = 0;
  const drag = async () => {
    waited = await byScrollbar(page, rows * rowHeight * share, hasRows);
  };
  await framesOf(page, drag, into.drag);
  return waited;
}

async function measure(open: OpenBench, { items = articles, data }: Options): Promise<Figure[]> {
  const bench = await open(placeOf(items, data));
  await withLibrary(bench, items, async () => {});
  const bare = await serveBare({
    '/': { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: barePage },
  });
  const browser = await openBrowser();
  const [ours, ceiling] = [nothingTaken(), nothingTaken()];
  const memory: number[][] = [];
  const waits: number[] = [];
  try {
    const context = await contextOf(browser, bench.state);
    const [page, least] = [await context.newPage(), await context.newPage()];
    const [session, leastSession] = [await context.newCDPSession(page), await context.newCDPSession(least)];
    for (const one of [page, least]) await one.setViewportSize({ width: 1440, height: 900 });
    await least.goto(bare.origin);
    await page.goto(`${bench.origin}${list}`);
    await page.getByRole('listitem').getByRole('article').first().waitFor();
    memory.push([await heap(session)]);
    for (let round = 0; round < rounds; round += 1) {
      // Each time to a place where nothing is kept yet.
      const share = 0.99 - round / 10;
      await page.bringToFront();
      waits.push(await scrolled(page, session, ours, share, true));
      memory.push([await heap(session)]);
      await least.bringToFront();
      await scrolled(least, leastSession, ceiling, share, false);
    }
  } finally {
    await browser.close();
    await bare.stop();
  }
  const compared = (what: string, name: keyof Taken): Figure[] => [
    {
      what: `${what}, frames per second`,
      unit: '/s',
      ours: ours[name].perSecond,
      ceiling: ceiling[name].perSecond,
    },
    {
      what: `${what}, dropped frames per hundred`,
      unit: '',
      ours: ours[name].lateInAHundred,
      ceiling: ceiling[name].lateInAHundred,
    },
  ];
  return [
    ...compared('mouse wheel, 50 rows per second', 'wheel'),
    ...compared(`scrollbar, ${rows.toLocaleString('en')} rows in ${dragSeconds} s`, 'drag'),
    { what: 'from releasing the scrollbar to visible rows', unit: 'ms', ours: waits },
    ...memory.map((ours, round) => ({
      what: round === 0 ? 'heap at the start' : `heap after round ${round}`,
      unit: 'MB',
      ours,
    })),
  ];
}

export const scroll: Measurement = {
  name: 'scroll',
  title: 'List of 100,000 rows',
  how: `The list of a topic in the catalogue of ${articles.toLocaleString('en')} articles (\`--data DIR\` as above), in a viewport of 1440 × 900; ${rounds} interleaved rounds from the top by the mouse wheel, then by the scrollbar to the end. Ceiling: an equally high page with painted stripes and no code. Heap: after garbage collection.`,
  measure,
  onlyNamed: true,
};
