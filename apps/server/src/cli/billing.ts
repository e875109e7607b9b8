import { verifySubscriptions } from '@escucho/billing';
import { migrateAll } from '../storage.ts';
import { assertNoArguments, runCommand } from './command.ts';

const help = `npm run billing -- COMMAND

  verify           recompute every subscription from the ledger and report differences; changes nothing

For the embedded billing provider only. Payments are refunded through its API (see docs/operations.md).`;

await runCommand({
  name: 'billing',
  help,
  commands: {
    async verify({ args, settings, storage }) {
      assertNoArguments(args);
      if (settings.externalBilling)
        throw new Error('The billing provider is external: verify its subscriptions there.');
      await migrateAll(storage.connection);
      const { subscriptions, entries, differing } = await verifySubscriptions(storage.connection);
      const lines = differing.map(({ id, reason }) => `${id}  ${reason}`);
      const summary = `${subscriptions} subscriptions, ${entries} entries, ${differing.length} differ.`;
      return { text: [...lines, summary].join('\n'), failed: differing.length > 0 };
    },
  },
});
