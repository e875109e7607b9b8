import { environmentOf } from '../subscribers/policy.ts';
import { standingFacts } from './arrangement.ts';
import type { Gateways } from './charging.ts';
import type { Terms } from './facts.ts';
import type { Holding } from './holding.ts';
import type { Which } from './repository.ts';

interface Ports {
  gateways: Gateways;
  holding: Holding;
  /** What is for sale, by the gateway's names for prices. */
  termsOfPrice: (price: string) => Terms | undefined;
}

/** Writes down what was changed at the gateway, if it keeps the subscription. Throws `GatewayFault`. */
export type Heed = (which: Which) => Promise<void>;

export function createHeed({ gateways, holding, termsOfPrice }: Ports): Heed {
  return async (which) => {
    const state = await holding(which, async ({ stored }) => stored.state);
    const kept = state.endedAt ? null : state.gatewaySubscription;
    const standing = kept && (await gateways[environmentOf(state)]?.standing(kept));
    if (!standing) return;
    await holding(which, async ({ stored: { state: now }, now: at, append }) => {
      const facts = now.gatewaySubscription === kept ? standingFacts(now, standing, termsOfPrice, at) : [];
      if (facts.length > 0) await append(facts);
    });
  };
}
