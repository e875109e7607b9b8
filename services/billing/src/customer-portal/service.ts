import { createHmac } from 'node:crypto';
import { rateLimits } from '@escucho/contracts';
import { isEqualInConstantTime } from '@escucho/service-kit';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import type { Database } from '../database.ts';
import { type Gateway, GatewayError } from '../gateways/gateway.ts';
import type { Environment, Subscriber } from '../subscribers/policy.ts';
import { subscriberRepository } from '../subscribers/repository.ts';

const TOKEN_SECONDS = 3600;

/** Derives the signing key from the secret API key, which it does not reveal. */
const derivePortalKey = (secret: string): Buffer =>
  createHmac('sha256', secret).update('customer portal').digest();

const sign = (key: Buffer, payload: string) => createHmac('sha256', key).update(payload).digest('base64url');

/** Creates a token that opens the portal for a subscriber, valid for an hour. */
function createPortalToken(key: Buffer, subscriber: string, now: Date): string {
  const payload = `${subscriber}.${Math.floor(now.getTime() / 1000) + TOKEN_SECONDS}`;
  return `${payload}.${sign(key, payload)}`;
}

/** Returns the subscriber of a token; undefined where it is invalid or expired. */
function verifyPortalToken(key: Buffer, token: string, now: Date): string | undefined {
  const [, payload = '', subscriber, expiresAt, mac = ''] =
    /^(([0-9a-f-]{36})\.(\d{1,12}))\.([\w-]{43})$/.exec(token) ?? [];
  const isValid = isEqualInConstantTime(mac, sign(key, payload));
  return isValid && Number(expiresAt) * 1000 > now.getTime() ? subscriber : undefined;
}

interface CustomerPortalDeps {
  db: Database;
  /** The gateway whose portal opens; without one nobody has a portal. */
  gateway: Gateway | undefined;
  environment: Environment;
  secret: string;
  address: string;
  /** Where the portal returns to, and where it redirects when it cannot open. */
  managementUrl: string;
  report: (detail: object, message: string) => void;
  clock: () => Date;
}

/**
 * Creates the service that opens the gateway's own page for cards and invoices (RCB-02). The service's link creates the
 * gateway's when it is followed, because the gateway's is valid for minutes only and costs a call.
 */
export function createCustomerPortal(deps: CustomerPortalDeps) {
  const { db, gateway, environment, secret, address, managementUrl, report, clock } = deps;
  const key = derivePortalKey(secret);
  const getCustomer = ({ payers }: Subscriber) => gateway && payers[environment]?.customer;

  return {
    /** Returns the link to the portal, valid for an hour; undefined where the subscriber has none. */
    createUrl: (subscriber: Subscriber): string | undefined =>
      getCustomer(subscriber) && `${address}/manage?token=${createPortalToken(key, subscriber.id, clock())}`,

    /** Returns where the link redirects: to the portal, or back with `portal=closed`. */
    async open(token: string): Promise<string> {
      const closed = `${managementUrl}?portal=closed`;
      const id = verifyPortalToken(key, token, clock());
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
