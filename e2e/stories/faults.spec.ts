import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import { api, type ProgressEntry } from '../../packages/contracts/src/index.ts';
import { type Dice, diceOf } from '../support/dice.ts';
import { footer, newest } from '../support/player.ts';
import { ownPort, type Running, startProduct } from '../support/product.ts';
import { newReader, signIn } from '../support/readers.ts';
import { expectPast, expectSilence, expectSounding, soundOf } from '../support/sound.ts';
import { expect, test as story } from '../support/story.ts';

const kills = Number(process.env.KILLS ?? 6);
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
const origin = `http://localhost:${ownPort}`;

/** Seconds of sound that a crash may cost (PLAY-05). */
const mostLost = 5;
/** Sound goes on between the last look at it and the end, at double speed perhaps; seconds. */
const unseen = mostLost;

/** A product of its own, that can be killed and comes back on the same data at the same address. */
interface Mortal {
  kill: () => Promise<void>;
  revive: () => Promise<void>;
}

const test = story.extend<{ product: Mortal }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern
  product: async ({}, use) => {
    const data = await mkdtemp(join(tmpdir(), 'escucho-faults-'));
    let running: Running = await startProduct(ownPort, data);
    await use({
      kill: () => running.kill(),
      revive: async () => {
        running = await startProduct(ownPort, data);
      },
    });
    await running.stop();
    await rm(data, { recursive: true, force: true });
  },
});
test.use({ baseURL: origin });

declare global {
  interface Window {
    /** Where the page's first sound began, in seconds. */
    firstSound?: number;
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
      const { records } = api.account.exportRecords.response.parse(await ask(api.account.exportRecords.path));
      const kept = new Set(
        (Object.entries(records).find(([table]) => table === 'listening_entry')?.[1] ?? []).map((row) =>
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
  const told = page.waitForResponse(/\/api\/catalogue\/discover/);
  await page.goto('/discover');
  expect((await told).ok()).toBe(true);
  await footer(page).getByRole('button', { name: 'Play', exact: true }).click();
  await expectSounding(page);
  await page.waitForFunction(() => window.firstSound !== undefined);
  return page.evaluate(() => window.firstSound ?? Number.NaN);
}

/** Listens on for some seconds of sound. */
async function listenOn(page: Page, seconds: number): Promise<void> {
  await expectPast(page, (await soundOf(page)).position + seconds);
}

/** Goes somewhere by the slider, listens from there. */
async function goTo(page: Page, seconds: number): Promise<void> {
  const slider = footer(page).getByRole('slider', { name: 'Position' });
  await slider.fill(String(seconds));
  await slider.dispatchEvent('pointerup');
  await expect
    .poll(async () => Math.abs((await soundOf(page)).position - seconds), { timeout: 15_000 })
    .toBeLessThan(mostLost);
}

/** What a reader does before it happens. The piece lasts longer than 90 seconds. */
async function doSomething(page: Page, dice: Dice): Promise<string> {
  const deed = dice.oneOf('listens', 'listens', 'seeks', 'changes the speed', 'pauses');
  const { position } = await soundOf(page);
  if (deed === 'seeks' || position > 75) await goTo(page, Math.round(dice.between(10, 60)));
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

/** Lets something happen to server or page, at any moment or just as a place is told. Out: what was heard last, in seconds. */
async function strike(page: Page, product: Mortal, dice: Dice): Promise<{ heard: number; fault: string }> {
  const fault = dice.oneOf(...faults);
  const { paused, speed } = await soundOf(page);
  if (!paused && dice.throw() < 0.4) await page.waitForRequest(/\/api\/listening\/progress/);
  let { position: heard } = await soundOf(page);
  switch (fault) {
    case 'page':
      await crash(page);
      break;
    case 'tab':
      await page.close();
      break;
    case 'both':
      await Promise.all([product.kill(), crash(page)]);
      await product.revive();
      break;
    case 'server':
      await product.kill();
      // What is loaded plays on, and what is heard of it counts as well.
      if (!paused && dice.throw() < 0.5) await listenOn(page, dice.between(0.5, 6));
      heard = (await soundOf(page)).position;
      await (dice.throw() < 0.5 ? crash(page) : page.close());
      await product.revive();
      break;
  }
  return { heard, fault: `${fault} at speed ${speed}` };
}

test(`[PLAY-05] [PLAY-06] whatever is killed, ${kills} times over: at most ${mostLost} seconds are lost, and nothing the server has taken`, async ({
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
  await context.addInitScript(() => {
    const play = HTMLMediaElement.prototype.play;
    HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
      this.addEventListener('playing', () => {
        window.firstSound ??= this.currentTime;
      });
      return play.call(this);
    };
  });
  const dice = diceOf(seed);
  const server = witness(context);
  await signIn(page, await newReader(page.request));
  await newest(page).click();
  await expectSounding(page);

  let reader = page;
  for (let round = 1; round <= kills; round += 1) {
    const deed = await doSomething(reader, dice);
    const { heard, fault } = await strike(reader, product, dice);
    const what = `kill ${round}: the reader ${deed}, then ends: ${fault}, heard to ${heard.toFixed(2)} s`;
    expect(await server.lost(), what).toEqual([]);
    reader = await context.newPage();
    const place = await comeBack(reader);
    console.log(`${what}, goes on from ${place.toFixed(2)} s`);
    expect(place, what).toBeGreaterThan(heard - mostLost);
    expect(place, what).toBeLessThan(heard + unseen);
    await expect
      .poll(server.placeElsewhere, { message: `${what}: elsewhere` })
      .toBeGreaterThan(heard - mostLost);
  }
  expect(server.acknowledged.length).toBeGreaterThanOrEqual(kills);
  expect(await server.lost()).toEqual([]);
});
