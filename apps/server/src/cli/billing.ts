import { createBillingAdmin } from '@escucho/billing';
import { migrateAll } from '../storage.ts';
import { runCommand } from './command.ts';

const help = `npm run billing -- COMMAND

  verify           make every subscription again from the ledger, and compare; changes nothing

For the embedded billing provider only. Payments are given back by its API, with the secret key: docs/operations.md.`;

await runCommand(
  {
    async verify({ settings, storage }) {
      if (settings.outsideBilling) throw new Error('The billing provider is elsewhere: look there.');
      await migrateAll(storage.connection);
      const admin = createBillingAdmin({ connection: storage.connection });
      try {
        const { subscriptions, entries, differing } = await admin.verify();
        if (differing.length > 0) process.exitCode = 1;
        const lines = differing.map(({ id, reason }) => `${id}  ${reason}`);
        const sum = `${subscriptions} subscriptions, ${entries} entries, ${differing.length} differ.`;
        return [...lines, sum].join('\n');
      } finally {
        await admin.close();
      }
    },
  },
  help,
);
