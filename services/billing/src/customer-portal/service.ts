import { rateLimits } from '@escucho/contracts';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import type { BillingDeps } from '../deps.ts';
import { type Gateway, GatewayError } from '../gateways/gateway.ts';
import type { Environment, Subscriber } from '../subscribers/policy.ts';
import { subscriberRepository } from '../subscribers/repository.ts';
import { createSignedTokens } from '../tokens.ts';

const TOKEN_SECONDS = 3600;

interface CustomerPortalDeps extends BillingDeps {
  /** The gateway whose portal opens; without one nobody has a portal. */
  gateway: Gateway | undefined;
  environment: Environment;
  secret: string;
  address: string;
}

/**
 * Creates the service that opens the gateway's own page for cards and invoices (RCB-02). The service's link creates the
 * gateway's when it is followed, because the gateway's is valid for minutes only and costs a call.
 */
export function createCustomerPortal(deps: CustomerPortalDeps) {
  const { db, gateway, environment, secret, address, managementUrl, report, clock } = deps;
  const tokens = createSignedTokens({ secret, audience: 'customer portal', seconds: TOKEN_SECONDS, clock });
  const getCustomer = ({ payers }: Subscriber) => gateway && payers[environment]?.customer;

  return {
    /** Returns the link to the portal, valid for an hour; undefined where the subscriber has none. */
    async createUrl(subscriber: Subscriber): Promise<string | undefined> {
      return getCustomer(subscriber) && `${address}/manage?token=${await tokens.create(subscriber.id)}`;
    },

    /** Returns where the link redirects: to the portal, or back with `portal=closed`. */
    async open(token: string): Promise<string> {
      const closed = `${managementUrl}?portal=closed`;
      const id = await tokens.verify(token).catch(() => undefined);
      const subscriber = id && (await subscriberRepository.findById(db, id));
      const customer = subscriber && getCustomer(subscriber);
      if (!gateway || !customer) return closed;
      try {
        return (await gateway.createPortalUrl(customer, managementUrl)) ?? closed;
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error;
        report({ reason: error.message }, 'the customer portal did not open');
        return closed;
      }
    },
  };
}

export type CustomerPortal = ReturnType<typeof createCustomerPortal>;

const query = z.object({ token: z.catch(z.string(), '') });

/** Registers the link behind `management_url` (RCB-02), which always redirects. */
export function registerCustomerPortal(app: FastifyInstance, { portal }: { portal: CustomerPortal }): void {
  // The log omits the query, and so the token.
  app.get(
    '/manage',
    { schema: { hide: true }, config: { rateLimits: rateLimits.customerPortal } },
    async (request, reply) => {
      const target = await portal.open(query.parse(request.query).token);
      return reply.header('referrer-policy', 'no-referrer').redirect(target, 303);
    },
  );
}
