import type { BrowserContext, Page } from '@playwright/test';
import { api, type ProgressEntry } from '../../packages/contracts/src/index.ts';
import { type Dice, diceOf } from '../support/dice.ts';
import { footer, newest } from '../support/player.ts';
import { lendProduct, type Own, ownPort, startPatience } from '../support/product.ts';
import { newReader, signIn } from '../support/readers.ts';
import { begunAt, expectPast, expectSilence, expectSounding, seekTo, soundOf } from '../support/sound.ts';
import { expect, test as story } from '../support/story.ts';

const kills = Number(process.env.KILLS ?? 6);
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
const origin = `http://localhost:${ownPort}`;

/** Seconds of sound that a crash may cost (PLAY-05). */
const mostLost = 5;

const test = story.extend<{ product: Own }>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern
    ({}, use) => lendProduct(use),
    { timeout: startPatience },
  ],
});
test.use({ baseURL: origin });

declare global {
  interface Window {
    /** The longest that the page was kept from its own clock of late, in milliseconds: when, and how long. */
    heldUp?: { at: number; late: number }[];
  }
}

/** What the server said it has, and by whose token it can be asked for it. */
function witness(context: BrowserContext) {
  const acknowledged: ProgressEntry[] = [];
  let bearer = '';
  const isPlace = (url: string) => new URL(url).pathname === `/api${api.listening.saveProgress.path}`;
  context.on('request', (request) => {
    if (isPlace(request.url())) bearer = request.headers().authorization ?? bearer;
  });
  context.on('response', (response) => {
    if (isPlace(response.url()) && response.ok()) acknowledged.push(response.request().postDataJSON());
  });

  const ask = async (path: string) =>
    (await fetch(`${origin}/api${path}`, { headers: { authorization: bearer } })).json();
  return {
    acknowledged,
    /** Every entry that was acknowledged and that the server does not have, word for word. */
    async lost(): Promise<string[]> {
      const named = (device: unknown, sequence: unknown, track: unknown, position: unknown, cause: unknown) =>
        [device, sequence, track, Number(position).toFixed(3), cause].join(' ');
      const { records } = api.account.exportAccount.response.parse(await ask(api.account.exportAccount.path));
      const kept = new Set(
        (Object.entries(records).find(([table]) => table === 'listening_event')?.[1] ?? []).map((row) =>
          named(row.device_id, row.sequence, row.article_id, row.position, row.cause),
        ),
      );
      return acknowledged
        .map((one) => named(one.device, one.sequence, one.track, one.position, one.cause))
        .filter((one) => !kept.has(one));
    },
    /** Where another device would go on, in seconds. */
    async placeElsewhere(): Promise<number> {
      const { docs } = api.listening.findContinueListening.response.parse(
        await ask(api.listening.findContinueListening.path),
      );
      return docs[0]?.progress ?? Number.NaN;
    },
  };
}

const control = (page: Page, name: string | RegExp) => footer(page).getByRole('button', { name });

/** Opens the app as somebody who comes back. Out: where the sound begins once they press play, in seconds. */
async function comeBack(page: Page): Promise<number> {
  const told = page.waitForResponse(/\/api\/catalogue\/discover/, { timeout: 0 });
  await page.goto('/discover');
  expect((await told).ok()).toBe(true);
  await footer(page).getByRole('button', { name: 'Play', exact: true }).click();
  await expectSounding(page);
  return begunAt(page);
}

/** Listens on for some seconds of sound. */
async function listenOn(page: Page, seconds: number): Promise<void> {
  await expectPast(page, (await soundOf(page)).position + seconds);
}

/** What a reader does before it happens. The piece lasts longer than 90 seconds. */
async function doSomething(page: Page, dice: Dice): Promise<string> {
  const deed = dice.oneOf('listens', 'listens', 'seeks', 'changes the speed', 'pauses');
  const { position } = await soundOf(page);
  if (deed === 'seeks' || position > 75) {
    const slider = footer(page).getByRole('slider', { name: 'Position' });
    await seekTo(page, slider, Math.round(dice.between(10, 60)));
  }
  if (deed === 'changes the speed') await control(page, /^Speed/).click();
  await listenOn(page, dice.between(0.2, 7));
  if (deed !== 'pauses') return deed;
  await control(page, 'Pause').click();
  await expectSilence(page);
  return deed;
}

/** The page is gone at once, without a word to it. */
async function crash(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const crashed = page.waitForEvent('crash');
  session.send('Page.crash').catch(() => undefined);
  await crashed;
  await page.close();
}

const faults = ['server', 'server', 'page', 'tab', 'both'] as const;

/** A page is asked so often whether it is held up; milliseconds. */
const pulse = 100;

/** What was heard last, and by how much the page was kept from telling of it, since no machine's pause is the player's; seconds of sound. */
async function lastHeard(page: Page): Promise<{ heard: number; held: number }> {
  const { position, paused, speed } = await soundOf(page);
  if (paused) return { heard: position, held: 0 };
  const late = await page.evaluate(() => {
    const now = performance.now();
    const told = (window.heldUp ?? []).filter(({ at }) => at > now - 10_000);
    return Math.max(now - (told.at(-1)?.at ?? now), ...told.map(({ late }) => late));
  });
  return { heard: position, held: (late / 1000) * speed };
}

/**
 * Lets something happen to server or page, at any moment or just as a place is told. Out: what was heard last, how much the page
 * may have been held up before, and how much more may have been heard until its end; seconds of sound.
 */
async function strike(page: Page, product: Own, dice: Dice) {
  const fault = dice.oneOf(...faults);
  const { paused, speed } = await soundOf(page);
  if (!paused && dice.throw() < 0.4) await page.waitForRequest(/\/api\/listening\/progress/);
  let looked = performance.now();
  let last = await lastHeard(page);
  let ended = looked;
  const gone = async (end: Promise<void>) => {
    await end;
    ended = performance.now();
  };
  switch (fault) {
    case 'page':
      await gone(crash(page));
      break;
    case 'tab':
      await gone(page.close());
      break;
    case 'both':
      await Promise.all([product.kill(), gone(crash(page))]);
      await product.startAgain();
      break;
    case 'server':
      await product.kill();
      // What is loaded plays on, and what is heard of it counts as well.
      if (!paused && dice.throw() < 0.5) await listenOn(page, dice.between(0.5, 6));
      looked = performance.now();
      last = await lastHeard(page);
      await gone(dice.throw() < 0.5 ? crash(page) : page.close());
      await product.startAgain();
      break;
  }
  const unseen = paused ? 0 : ((ended - looked) / 1000) * speed;
  return { ...last, unseen, fault: `${fault} at speed ${speed}` };
}

test(`[PLAY-05] [PLAY-06] killed ${kills} times, at most ${mostLost} s and no acknowledged entry is lost`, async ({
  page,
  context,
  product,
  noise,
}) => {
  test.setTimeout(180_000 + kills * 60_000);
  // A server that is gone, and what the page then has to do without.
  noise.allow(/net::ERR_/, /does not play: network/, /Failed to fetch dynamically imported module/);
  test.info().annotations.push({ type: 'seed', description: String(seed) });
  console.log(`SEED=${seed} KILLS=${kills}`);
  await context.addInitScript((every) => {
    const heldUp: { at: number; late: number }[] = [];
    window.heldUp = heldUp;
    let before = performance.now();
    setInterval(() => {
      const at = performance.now();
      heldUp.push({ at, late: at - before - every });
      before = at;
    }, every);
  }, pulse);
  const dice = diceOf(seed);
  const server = witness(context);
  await signIn(page, await newReader(page.request));
  await newest(page).click();
  await expectSounding(page);

  let reader = page;
  for (let round = 1; round <= kills; round += 1) {
    const deed = await doSomething(reader, dice);
    const { heard, held, unseen, fault } = await strike(reader, product, dice);
    const least = heard - held - mostLost;
    const what = `kill ${round}: the reader ${deed}, then ends: ${fault}, heard to ${heard.toFixed(2)} s`;
    expect(await server.lost(), what).toEqual([]);
    reader = await context.newPage();
    const place = await comeBack(reader);
    console.log(`${what}, goes on from ${place.toFixed(2)} s`);
    expect(place, what).toBeGreaterThan(least);
    expect(place, what).toBeLessThan(heard + unseen + 1);
    await expect.poll(server.placeElsewhere, { message: `${what}: elsewhere` }).toBeGreaterThan(least);
  }
  expect(server.acknowledged.length).toBeGreaterThanOrEqual(kills);
  expect(await server.lost()).toEqual([]);
});
