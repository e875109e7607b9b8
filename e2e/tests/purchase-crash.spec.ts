import { join } from 'node:path';
import { findRunningEmbedded, openDatabase } from '@escucho/database';
import { type Kysely, sql } from 'kysely';
import { billingOf, readerOf } from '../support/billing.ts';
import { answered } from '../support/noise.ts';
import { lendProduct, type Own, runCommand, startPatience } from '../support/product.ts';
import { choosePlan, giveEmail, payWith } from '../support/purchase.ts';
import { newReader, signIn } from '../support/readers.ts';
import { expectSounding } from '../support/sound.ts';
import { expect, test as story } from '../support/story.ts';
import { wordsOf } from '../support/words.ts';

const say = wordsOf('en');

const test = story.extend<{ own: Own }>({
  own: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern
    ({}, use) => lendProduct(use),
    { timeout: startPatience },
  ],
  baseURL: ({ own }, use) => use(own.origin),
});

/** The tables of billing. */
async function openLedger({ data }: Own): Promise<Kysely<object>> {
  const connection = await findRunningEmbedded(join(data, 'postgres'));
  if (!connection) throw new Error('No database runs on the data.');
  return openDatabase<object>({ connection, schema: 'billing', name: 'story', maxConnections: 2 });
}

const counted = async (query: Promise<{ rows: { count: number }[] }>) => Number((await query).rows[0]?.count);
const charges = (db: Kysely<object>) =>
  counted(
    sql<{ count: number }>`select count(*) from sandbox_charge where outcome = 'succeeded'`.execute(db),
  );
const payments = (db: Kysely<object>) =>
  counted(sql<{ count: number }>`select count(*) from subscription_event where kind = 'paid'`.execute(db));

/**
 * Holds the ledger, so that a payment is made and cannot be written down. Out: how to wait for the payment, and how to let
 * go of the ledger.
 */
async function holdLedger(db: Kysely<object>) {
  let letGo = () => {};
  const released = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let over = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    over = db.transaction().execute(async (tx) => {
      await sql`lock table subscription_event in share mode`.execute(tx);
      resolve();
      await released;
    });
    over.catch(reject);
  });
  return {
    charged: () =>
      expect.poll(() => charges(db), { message: 'the card is charged', timeout: 20_000 }).toBe(1),
    letGo: async () => {
      letGo();
      await over;
    },
  };
}

test('[BUY-03] [RCB-02] killed between charge and response: charged once, then it plays', async ({
  page,
  request,
  own,
  noise,
}) => {
  test.setTimeout(240_000);
  noise.allow(answered(409), /net::ERR_/, /Failed to fetch/);
  const reader = await newReader(request);
  await signIn(page, reader);
  const billing = await billingOf(request, await readerOf(page));
  await billing.hadTrial();
  await page.goto('/settings/subscription');
  await expect(page.getByRole('heading', { name: say('manage.free') })).toBeVisible();
  await page.goto('/discover');
  const widget = await choosePlan(page, say, 'monthly');
  await giveEmail(widget, say);
  await expect(widget.getByLabel('Card number')).toBeFocused();

  let db = await openLedger(own);
  const ledger = await holdLedger(db);
  await payWith(widget, say, 'checkout.cardSucceeds');
  await ledger.charged();
  await own.kill();
  expect(await payments(db)).toBe(0);
  await ledger.letGo();
  await db.destroy();
  await expect(widget.getByRole('alert')).toHaveText(say('checkout.network'));
  await expect(widget.getByText(say('checkout.mayBePaid'))).toBeVisible();

  await own.startAgain();
  await expect.poll(() => billing.isActive(), { timeout: 20_000 }).toBe(true);
  await widget.getByRole('button', { name: 'Try again' }).click();
  await expect(widget.getByRole('heading', { name: 'Already subscribed' })).toBeFocused();
  await widget.getByRole('button', { name: 'Go back to app' }).click();
  await expectSounding(page);

  db = await openLedger(own);
  expect([await charges(db), await payments(db)]).toEqual([1, 1]);
  await db.destroy();
  expect(await runCommand(own.data, 'billing', 'verify')).toContain('0 differ.');
  await page.goto('/settings/subscription');
  await expect(page.getByRole('region', { name: 'Receipts' }).getByRole('listitem')).toHaveCount(1);
});
