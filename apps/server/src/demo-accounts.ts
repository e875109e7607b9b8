import { grantSubscription } from '@escucho/billing';
import type { Connection } from '@escucho/database';
import { createIdentityAdmin, seedAccount } from '@escucho/identity';
import { seedUser } from '@escucho/portal';
import type { Instance } from './instance.ts';
import type { Settings } from './settings.ts';

/** The accounts of demo mode. */
export const demoAccounts = [
  {
    email: 'demo@escucho.test',
    password: 'Escucho2026',
    firstName: 'Ana',
    lastName: 'Torres',
    subscribed: true,
  },
  {
    email: 'free@escucho.test',
    password: 'Escucho2026',
    firstName: 'Luis',
    lastName: 'Quispe',
    subscribed: false,
  },
] as const;

/**
 * Enables or disables the accounts with the addresses of the demo accounts, also simulated ones of Google and Facebook. A
 * disabled account cannot sign in, and its sessions are revoked.
 */
async function setDemoAccountsEnabled(
  connection: Connection,
  { userPoolId: poolId, identitySecret: secret }: Instance,
  isEnabled: boolean,
): Promise<void> {
  const admin = createIdentityAdmin({ connection, poolId, secret });
  try {
    for (const { email } of demoAccounts) {
      for (const user of await admin.findUsersByEmail(email)) {
        if (user.enabled === isEnabled) continue;
        await (isEnabled ? admin.enableUser(user.username) : admin.disableUser(user.username));
      }
    }
  } finally {
    await admin.close();
  }
}

async function seedDemo(
  connection: Connection,
  instance: Instance,
  isBillingExternal: boolean,
): Promise<void> {
  const { userPoolId: poolId, identitySecret: secret } = instance;
  const seed = async ({ subscribed, ...account }: (typeof demoAccounts)[number]) => {
    const subject = await seedAccount({ connection, poolId, secret }, account);
    // The embedded billing provider grants the subscription; an external one does not know the demo accounts.
    const subscribedInPortal = subscribed && isBillingExternal;
    const userId = await seedUser({ connection, subject, ...account, subscribed: subscribedInPortal });
    if (subscribed && !isBillingExternal) await grantSubscription({ connection, appUserId: userId });
  };
  await Promise.all(demoAccounts.map(seed));
}

/** Creates the demo accounts in demo mode; without it, disables those of an earlier start. The database must be migrated. */
export async function prepareDemoAccounts(
  connection: Connection,
  instance: Instance,
  { demo, externalIdentity, externalBilling }: Settings,
): Promise<void> {
  if (externalIdentity) return;
  if (demo) await seedDemo(connection, instance, externalBilling !== undefined);
  await setDemoAccountsEnabled(connection, instance, demo);
}
