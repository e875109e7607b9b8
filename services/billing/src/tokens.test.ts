import { createHmac } from 'node:crypto';
import { billingApi } from '@escucho/contracts';
import { SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { startProvider } from './testing/provider.ts';
import { startStripeProvider } from './testing/stripe-provider.ts';

const provider = await startProvider();
const { send, post, get, callApi, newUser, requestPurchase, createPurchaseToken, subscribe, keys, db, time } =
  provider;
const FIVE_MINUTES_MS = 300_000;

/** Returns the e-mail that is stored for a user. */
const findEmail = async (user: string) => {
  const row = await db
    .selectFrom('subscriber')
    .select('email')
    .where('appUserId', '=', user)
    .executeTakeFirst();
  return row?.email ?? null;
};
const countCheckouts = async () =>
  (await db.selectFrom('checkout').select('id').execute()).length +
  (await db.selectFrom('sandbox_setup').select('id').execute()).length;

const createKey = (text: string) => createHmac('sha256', keys.secret).update(text).digest();
const toClaims = (user: string) => ({ sub: user, aud: 'subscriber purchase', exp: time.now / 1000 + 300 });

describe('a purchase token', () => {
  it('[RCB-01] lets its user buy until it expires', async () => {
    const user = newUser();
    const token = await createPurchaseToken(user);
    time.now += FIVE_MINUTES_MS - 1000;
    expect((await requestPurchase(user, {}, undefined, token)).status).toBe(200);
    time.now += 1000;
    expect(await requestPurchase(user, {}, undefined, token)).toMatchObject({
      status: 401,
      body: { code: 7224, reason: 'purchase_token_expired' },
    });
  });

  it('[RCB-01] lets nobody buy once its subscriber was deleted', async () => {
    const user = newUser();
    const token = await createPurchaseToken(user);
    await callApi(billingApi.deleteSubscriber, user);
    const before = await countCheckouts();
    expect(await requestPurchase(user, {}, undefined, token)).toMatchObject({
      status: 403,
      body: { code: 7224, reason: 'purchase_token_foreign' },
    });
    expect([await findEmail(user), await countCheckouts()]).toEqual([null, before]);
  });

  const required = [401, 'purchase_token_required'] as const;
  const invalid = [401, 'purchase_token_invalid'] as const;
  it.each<[string, (user: string) => Promise<string> | string, readonly [number, string]]>([
    ['no token', () => '', required],
    ['another user’s', () => createPurchaseToken(newUser()), [403, 'purchase_token_foreign']],
    ['no JWT', () => 'token', invalid],
    ['a changed signature', async (user) => `${(await createPurchaseToken(user)).slice(0, -4)}AAAA`, invalid],
    [
      'a key of another purpose',
      (user) =>
        new SignJWT(toClaims(user))
          .setProtectedHeader({ alg: 'HS256' })
          .sign(createKey('customer portal token')),
      invalid,
    ],
    [
      'another audience',
      (user) =>
        new SignJWT({ ...toClaims(user), aud: 'portal' })
          .setProtectedHeader({ alg: 'HS256' })
          .sign(createKey('subscriber purchase token')),
      invalid,
    ],
    ['no signature', (user) => new UnsecuredJWT(toClaims(user)).encode(), invalid],
  ])(
    '[RCB-01] with %s refuses the purchase and changes nothing',
    async (_name, createToken, [status, reason]) => {
      const user = newUser();
      await subscribe(user, { email: 'ana@user.test' });
      const before = await countCheckouts();
      const answer = await requestPurchase(
        user,
        { email: 'thief@user.test' },
        undefined,
        await createToken(user),
      );
      expect(answer).toMatchObject({ status, body: { code: 7224, message: expect.any(String), reason } });
      expect([await findEmail(user), await countCheckouts()]).toEqual(['ana@user.test', before]);
    },
  );

  it('[RCB-01] is required of pages with the key for real money', async () => {
    const stripe = await startStripeProvider();
    const user = newUser();
    const before = stripe.requests.length;
    const answer = await stripe.provider.requestPurchase(user, {}, keys.production, '');
    expect(answer).toMatchObject({ status: 401, body: { code: 7224 } });
    expect(stripe.requests).toHaveLength(before);
  });

  it.each([
    ['the public key', keys.sandbox, 403, 7243],
    ['an unknown key', 'sk_unknown', 401, 7225],
  ])('[RCB-01] is not created for %s', async (_name, key, status, code) => {
    const answer = await send('POST', `/v1/subscribers/${newUser()}/purchase-tokens`, undefined, key);
    expect(answer).toMatchObject({ status, body: { code } });
  });

  it('[RCB-01] is not created for a placeholder id', async () => {
    const answer = await post('/v1/subscribers/no_user/purchase-tokens', undefined, keys.secret);
    expect(answer).toMatchObject({ status: 400, body: { code: 7220 } });
  });

  it('[RCB-01] is not needed to read the offerings, the products and the entitlements', async () => {
    const user = newUser();
    const paths = [
      `/v1/subscribers/${user}/offerings`,
      `/rcbilling/v1/subscribers/${user}/products?id=escucho_monthly`,
      `/v1/subscribers/${user}`,
    ];
    for (const path of paths) expect((await get(path)).status).toBeLessThan(300);
  });
});
