import { getEnvironment } from '../subscribers/policy.ts';
import type { Gateways } from './charging.ts';
import type { Terms } from './events.ts';
import { toGatewayStateEvents } from './gateway-schedule.ts';
import type { WithLock } from './holding.ts';
import type { SubscriptionRef } from './repository.ts';

interface Deps {
  gateways: Gateways;
  withLock: WithLock;
  /** What is for sale, by the gateway's names for prices. */
  findTermsByPrice: (price: string) => Terms | undefined;
}

/** Writes down what was notifyChange at the gateway, if it keeps the subscription. Throws `GatewayError`. */
export type SyncFromGateway = (ref: SubscriptionRef) => Promise<void>;

export function createSyncFromGateway({ gateways, withLock, findTermsByPrice }: Deps): SyncFromGateway {
  return async (ref) => {
    const state = await withLock(ref, async ({ stored }) => stored.state);
    const kept = state.endedAt ? null : state.gatewaySubscription;
    const standing = kept && (await gateways[getEnvironment(state)]?.standing(kept));
    if (!standing) return;
    await withLock(ref, async ({ stored: { state: now }, now: at, append }) => {
      const events =
        now.gatewaySubscription === kept ? toGatewayStateEvents(now, standing, findTermsByPrice, at) : [];
      if (events.length > 0) await append(events);
    });
  };
}
