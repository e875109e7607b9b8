import { type APIRequestContext, expect, type Page } from '@playwright/test';
import { bearerOf } from './readers.ts';

/** The id of whoever is signed in on a page. */
export async function readerOf(page: Page): Promise<string> {
  const headers = { authorization: await bearerOf(page) };
  const answer = await page.request.get('/api/auth/me', { headers });
  const { user }: { user: { _id: string } } = await answer.json();
  return user._id;
}

/** Speaks the billing provider's protocol for a reader, and the sandbox's. */
export async function billingOf(request: APIRequestContext, reader: string) {
  const { billing }: { billing: { apiKey: string } } = await (await request.get('/config.json')).json();
  const headers = { authorization: `Bearer ${billing.apiKey}` };
  const post = async (path: string, data: object) => {
    const answer = await request.post(`/billing${path}`, { headers, data });
    expect(answer.ok(), path).toBe(true);
    return answer.json();
  };
  const advance = (days: number) => post('/sandbox/advance', { app_user_id: reader, seconds: days * 86_400 });
  return {
    advance,

    /** What the reader's card comes to from now on. */
    charges: (outcome: 'succeeded' | 'failed') =>
      post('/sandbox/card', { app_user_id: reader, charges: outcome }),

    /** Has had a trial, whose card failed: the next purchase is paid at once. */
    async hadTrial() {
      const { data } = await post('/rcbilling/v1/subscribe', {
        ...{ app_user_id: reader, product_id: 'escucho_monthly', email: 'trial@escucho.test' },
        ...{ presented_offering_identifier: 'default', offer_id: 'trial' },
      });
      const card = { outcome: 'succeeded', charges: 'failed' };
      await post('/sandbox/confirm', { client_secret: data.client_secret, ...card });
      await advance(4);
    },

    async isActive() {
      const answer = await request.get(`/billing/v1/subscribers/${reader}`, { headers });
      const { subscriber } = await answer.json();
      return Date.parse(subscriber.entitlements.premium?.expires_date) > Date.now();
    },
  };
}
