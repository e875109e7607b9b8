import { api } from '@escucho/contracts';
import { describe, expect, it } from 'vitest';
import { startPortal } from '../testing/portal.ts';

const { billing, call, createUser } = await startPortal({ acceptsSandbox: false });
const LATER = '2026-12-20T10:00:00Z';
const findStatus = async (token: string) => (await call(api.auth.me, token, {})).subscription;

describe('where the sandbox is off', () => {
  it('[SUB-04] a purchase of the sandbox gives no access; a real one does', async () => {
    const { id, token } = await createUser();
    billing.purchases.set(id, { expires_date: LATER, is_sandbox: true });
    expect(await findStatus(token)).toMatchObject({ isActive: false, store: null });
    const { subscription } = await call(api.subscription.findSubscription, token, {});
    expect(subscription.isActive).toBe(false);
    billing.purchases.set(id, { expires_date: LATER, is_sandbox: false });
    await call(api.subscription.findSubscription, token, {});
    expect(await findStatus(token)).toMatchObject({ isActive: true, store: 'rc_billing' });
  });

  it('[SUB-04] a grant of demo mode gives no access', async () => {
    const { token } = await createUser({ subscribed: true });
    expect((await findStatus(token)).isActive).toBe(false);
  });
});
