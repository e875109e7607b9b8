import type { APIRequestContext, Page } from '@playwright/test';
import { expect } from '../browser.ts';
import { getAuthorization } from './users.ts';

/** Returns the id of the user who is signed in on a page. */
async function getUserId(page: Page): Promise<string> {
  const headers = { authorization: await getAuthorization(page) };
  const response = await page.request.get('/api/auth/me', { headers });
  const { user }: { user: { _id: string } } = await response.json();
  return user._id;
}

/** Creates a client of the billing provider and of its sandbox for the user who is signed in on a page. */
export async function createBillingClient(page: Page, request: APIRequestContext) {
  const userId = await getUserId(page);
  const { billing }: { billing: { apiKey: string } } = await (await request.get('/config.json')).json();
  const headers = { authorization: `Bearer ${billing.apiKey}` };
  const post = async (path: string, data: object, more: Record<string, string> = {}) => {
    const response = await request.post(`/billing${path}`, { headers: { ...headers, ...more }, data });
    expect(response.ok(), path).toBe(true);
    return response.json();
  };
  const advanceClock = (days: number) =>
    post('/sandbox/advance', { app_user_id: userId, seconds: days * 86_400 });
  return {
    advanceClock,

    /** Sets the outcome of all later charges of the user's card. */
    setChargeOutcome: (outcome: 'succeeded' | 'failed') =>
      post('/sandbox/card', { app_user_id: userId, charges: outcome }),

    /** Uses up the free trial with a card that fails, so that the next purchase is charged at once. */
    async useUpTrial() {
      const { token }: { token: string } = await (
        await request.post('/api/subscription/purchase-token', {
          headers: { authorization: await getAuthorization(page) },
        })
      ).json();
      const order = {
        app_user_id: userId,
        product_id: 'escucho_monthly',
        email: 'trial@escucho.test',
        presented_offering_identifier: 'default',
        offer_id: 'trial',
      };
      const { data } = await post('/rcbilling/v1/subscribe', order, { 'x-purchase-token': token });
      const card = { outcome: 'succeeded', charges: 'failed' };
      await post('/sandbox/confirm', { client_secret: data.client_secret, ...card });
      await advanceClock(4);
    },

    async isActive() {
      const response = await request.get(`/billing/v1/subscribers/${userId}`, { headers });
      const { subscriber } = await response.json();
      return Date.parse(subscriber.entitlements.premium?.expires_date) > Date.now();
    },
  };
}
