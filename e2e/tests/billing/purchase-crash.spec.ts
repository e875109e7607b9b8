import { join } from 'node:path';
import { findRunningEmbedded, openDatabase } from '@escucho/database';
import { type Kysely, sql } from 'kysely';
import { createBillingClient } from '../../support/app/billing.ts';
import { createTranslate } from '../../support/app/messages.ts';
import { choosePlan, payWithTestCard } from '../../support/app/purchase.ts';
import { createUser, signIn } from '../../support/app/users.ts';
import { expectPlaying } from '../../support/audio/audio.ts';
import { statusError } from '../../support/console-errors.ts';
import { test } from '../../support/isolated-product.ts';
import { type IsolatedProduct, runCommand } from '../../support/product.ts';
import { expect } from '../../support/test.ts';

const t = createTranslate('en');

async function openBillingDatabase({ dataDir }: IsolatedProduct): Promise<Kysely<object>> {
  const connection = await findRunningEmbedded(join(dataDir, 'postgres'));
  if (!connection) throw new Error('No database runs on the data.');
  return openDatabase<object>({ connection, schema: 'billing', name: 'e2e', maxConnections: 2 });
}

const readCount = async (query: Promise<{ rows: { count: number }[] }>) =>
  Number((await query).rows[0]?.count);
const countCharges = (db: Kysely<object>) =>
  readCount(
    sql<{ count: number }>`select count(*) from sandbox_charge where outcome = 'succeeded'`.execute(db),
  );
const countPayments = (db: Kysely<object>) =>
  readCount(sql<{ count: number }>`select count(*) from subscription_event where kind = 'paid'`.execute(db));

/** Locks the ledger, so that a payment is charged but cannot be recorded. */
async function lockLedger(db: Kysely<object>) {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let transaction = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    transaction = db.transaction().execute(async (tx) => {
      await sql`lock table subscription_event in share mode`.execute(tx);
      resolve();
      await released;
    });
    transaction.catch(reject);
  });
  return {
    waitForCharge: () => expect.poll(() => countCharges(db), 'the card is charged').toBe(1),
    release: async () => {
      release();
      await transaction;
    },
  };
}

test('[BUY-03] [RCB-02] killed between charge and response: charged once, then it plays', async ({
  page,
  request,
  product,
  consoleErrors,
}) => {
  consoleErrors.allow(statusError(409), /net::ERR_/, /Failed to fetch/);
  const user = await createUser(request);
  await signIn(page, user);
  const billing = await createBillingClient(page, request);
  await billing.useUpTrial();
  await page.goto('/settings/subscription');
  await expect(page.getByRole('heading', { name: t('manage.free') })).toBeVisible();
  await page.goto('/discover');
  const widget = await choosePlan(page, t, 'monthly');
  await expect(widget.getByLabel('Card number')).toBeFocused();

  let db = await openBillingDatabase(product);
  const lock = await lockLedger(db);
  await payWithTestCard(widget, t, 'checkout.cardSucceeds');
  await lock.waitForCharge();
  await product.kill();
  expect(await countPayments(db)).toBe(0);
  await lock.release();
  await db.destroy();
  await expect(widget.getByRole('alert')).toHaveText(t('checkout.network'));
  await expect(widget.getByText(t('checkout.mayBePaid'))).toBeVisible();

  await product.restart();
  await expect.poll(() => billing.isActive()).toBe(true);
  await widget.getByRole('button', { name: 'Try again' }).click();
  await expect(widget.getByRole('heading', { name: 'Already subscribed' })).toBeFocused();
  await widget.getByRole('button', { name: 'Go back to app' }).click();
  await expectPlaying(page);

  db = await openBillingDatabase(product);
  expect([await countCharges(db), await countPayments(db)]).toEqual([1, 1]);
  await db.destroy();
  expect(await runCommand(product.dataDir, 'billing', 'verify')).toContain('0 differ.');
  await page.goto('/settings/subscription');
  await expect(page.getByRole('region', { name: 'Receipts' }).getByRole('listitem')).toHaveCount(1);
});
