import { findAuditEvents } from '@escucho/audit';
import { billingApi } from '@escucho/contracts';
import { describe, expect, it } from 'vitest';
import { DAY, startProvider } from '../testing/provider.ts';

const { callApi, findCurrent, post, newUser, buy, advanceClock, getInfo, clock, db } = await startProvider();
const { findReceipts, pay, createCardSetup, replaceCard } = billingApi;

const authenticate = (secret: string, outcome: string) =>
  post('/sandbox/authenticate', { client_secret: secret, outcome });

/** Creates a user whose first renewal waits for a confirmation by the bank. */
async function createUnconfirmedUser(): Promise<string> {
  const user = newUser();
  await buy(user, {}, { charges: 'authentication_required' });
  expect(await findCurrent(user)).not.toBeNull();
  await advanceClock(user, 31 * DAY);
  return user;
}

it('[SUB-07] a card is replaced once, also where the request is repeated', async () => {
  const user = newUser();
  await buy(user);
  const { setup, clientSecret } = (await callApi(createCardSetup, user)).body;
  await post('/sandbox/confirm', { client_secret: clientSecret, outcome: 'succeeded' });
  for (let times = 0; times < 2; times += 1)
    expect((await callApi(replaceCard, user, { setup })).status).toBe(200);
  const events = await findAuditEvents(db, { userId: user, types: ['card_replaced'] }, 10);
  expect(events).toHaveLength(1);
});

describe('a renewal that the bank wants confirmed, in the sandbox', () => {
  it('[RCB-02] keeps access in the grace period and is paid once when confirmed', async () => {
    const user = await createUnconfirmedUser();
    expect(await findCurrent(user)).toMatchObject({ needsConfirmation: true, willRenew: false });
    const { confirmation } = (await callApi(pay, user)).body;
    expect((await authenticate(confirmation.clientSecret, 'failed')).body.outcome).toBe(
      'authentication_required',
    );
    expect((await callApi(pay, user)).body.confirmation).toEqual(confirmation);
    await authenticate(confirmation.clientSecret, 'succeeded');
    await authenticate(confirmation.clientSecret, 'succeeded');
    expect((await callApi(pay, user)).body).toMatchObject({
      confirmation: null,
      current: { willRenew: true },
    });
    expect((await callApi(findReceipts, user)).body.docs).toHaveLength(2);
  });

  it('[RCB-02] is paid by another card, whose bank may ask for confirmation too', async () => {
    const user = await createUnconfirmedUser();
    const withCard = async (charges: string) => {
      const { setup, clientSecret } = (await callApi(createCardSetup, user)).body;
      await post('/sandbox/confirm', { client_secret: clientSecret, outcome: 'succeeded', charges });
      return (await callApi(replaceCard, user, { setup })).body;
    };
    const first = await withCard('authentication_required');
    expect(first.confirmation.clientSecret).toMatch(/\.2$/);
    expect((await withCard('succeeded')).current).toMatchObject({ willRenew: true });
    await authenticate(first.confirmation.clientSecret, 'succeeded');
    expect((await callApi(findReceipts, user)).body.docs).toHaveLength(2);
  });

  it('[SUB-07] a refused card is retried at once when its owner asks', async () => {
    const user = newUser();
    await buy(user);
    await post('/sandbox/card', { app_user_id: user, charges: 'failed' });
    await advanceClock(user, 31 * DAY);
    expect((await callApi(pay, user)).body).toMatchObject({
      confirmation: null,
      current: { willRenew: false },
    });
    await post('/sandbox/card', { app_user_id: user, charges: 'succeeded' });
    expect((await callApi(pay, user)).body.current).toMatchObject({ willRenew: true, billingIssueAt: null });
  });

  it('[SUB-07] without an unpaid renewal there is nothing to pay', async () => {
    const user = newUser();
    await buy(user);
    expect((await callApi(pay, user)).body).toMatchObject({
      confirmation: null,
      current: { willRenew: true },
    });
    expect((await callApi(findReceipts, user)).body.docs).toHaveLength(1);
  });

  it('[SUB-07] a card form without an id is refused', async () => {
    expect((await callApi(replaceCard, newUser(), {})).status).toBe(400);
  });

  it('an unknown secret confirms nothing', async () => {
    for (const secret of ['sandbox_payment_secret_nothing', 'other'])
      expect((await authenticate(secret, 'succeeded')).status).toBe(404);
  });
});

describe('a dispute in the sandbox', () => {
  const dispute = (user: string, status: string, fields: object = {}) =>
    post('/sandbox/dispute', { app_user_id: user, status, ...fields });

  it('[RCB-02] won restores access; lost refunds the payment', async () => {
    const user = newUser();
    await buy(user);
    await dispute(user, 'open');
    expect(await findCurrent(user)).toBeNull();
    await advanceClock(user, 40 * DAY);
    await dispute(user, 'won');
    const { entitlements } = await getInfo(user);
    expect(Date.parse(entitlements.premium.expires_date)).toBeGreaterThan(
      clock().getTime() + 29 * DAY * 1000,
    );

    const other = newUser();
    const receipt = await buy(other);
    await dispute(other, 'open', { receipt });
    await dispute(other, 'lost', { receipt });
    expect((await callApi(findReceipts, other)).body.docs).toMatchObject([{ refunded: 300 }]);
    expect(await findCurrent(other)).toBeNull();
  });

  it('[RCB-02] of two about one subscription restores access when both are won', async () => {
    const user = newUser();
    const first = await buy(user);
    await advanceClock(user, 31 * DAY);
    const [newest] = (await callApi(findReceipts, user)).body.docs;
    await dispute(user, 'open', { receipt: first });
    await dispute(user, 'open', { receipt: newest._id });
    await dispute(user, 'won', { receipt: newest._id });
    expect(await findCurrent(user)).toBeNull();
    await dispute(user, 'won', { receipt: first });
    expect(await findCurrent(user)).toMatchObject({ willRenew: false });
  });

  it('of an unknown payment is refused', async () => {
    const user = newUser();
    expect(await dispute(user, 'open')).toMatchObject({ status: 404, body: { code: 7259 } });
    await getInfo(user);
    expect((await dispute(user, 'open')).body).toMatchObject({ reason: 'payment_not_found' });
  });
});
