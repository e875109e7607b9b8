import type { SubscriptionService } from '../subscriptions/service.ts';
import type { Erasure, ErasureRepository } from './erasure-repository.ts';
import type { IdentityProvider } from './identity-provider.ts';

interface Ports {
  erasures: ErasureRepository;
  subscriptions: Pick<SubscriptionService, 'deleteCustomer'>;
  provider: IdentityProvider;
  report: (detail: object, message: string) => void;
  clock: () => Date;
}

/** How long after the n-th failure it is tried again, in milliseconds: 5 seconds, twice as long each time, ten minutes at most. */
export const retryDelay = (failures: number): number => Math.min(5000 * 2 ** (failures - 1), 600_000);

/**
 * Has those who have gone here forgotten elsewhere: first at the billing provider, for nobody may go on paying for an
 * account that is gone, last at the identity provider. It is tried until it is done; each step may be done again.
 */
export function createErasures({ erasures, subscriptions, provider, report, clock }: Ports) {
  async function attempt({ reader, account, attempts }: Erasure): Promise<Date | undefined> {
    try {
      await subscriptions.deleteCustomer({ id: reader, platform: null });
      await provider.deleteAccount(account);
      return undefined;
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined;
      report(
        { reader, failures: attempts + 1, reason: `${error}: ${cause}` },
        'somebody who left is not forgotten everywhere yet',
      );
      return new Date(clock().getTime() + retryDelay(attempts + 1));
    }
  }

  return {
    /** Tries one reader's now. Never throws for what goes wrong elsewhere. */
    async begin(reader: string): Promise<void> {
      await erasures.takeDue(clock(), attempt, reader);
    },

    /** Tries all that are due, one after another. */
    async round(): Promise<void> {
      while ((await erasures.takeDue(clock(), attempt)) !== undefined);
    },
  };
}

export type Erasures = ReturnType<typeof createErasures>;
