import type { Database } from '../database.ts';
import { type Gateway, GatewayError } from '../gateways/gateway.ts';
import type { Environment, Subscriber } from '../subscribers/policy.ts';
import { subscriberRepository } from '../subscribers/repository.ts';
import { createPortalToken, derivePortalKey, verifyPortalToken } from './policy.ts';

interface Deps {
  db: Database;
  /** The gateway that has a portal, and whose cards it charges; without one nobody has a portal. */
  gateway: Gateway | undefined;
  environment: Environment;
  /** The secret key of this installation. */
  secret: string;
  /** Where this service is reached, without a slash at the end. */
  address: string;
  /** Where the portal leads back to, and whoever cannot be let in. */
  managementUrl: string;
  report: (detail: object, message: string) => void;
  clock: () => Date;
}

/**
 * The card gateway's own page for a subscriber's cards and invoices (RCB-02). Its address is made when somebody follows
 * ours, for the gateway's is good for minutes only, and asking for it costs a call.
 */
export function createCustomerPortal(ports: Deps) {
  const { db, gateway, environment, secret, address, managementUrl, report, clock } = ports;
  const key = derivePortalKey(secret);
  const customerOf = ({ payers }: Subscriber) => gateway && payers[environment]?.customer;

  return {
    /** Where a subscriber gets into the portal, within the hour; nothing where the subscriber has none. */
    urlFor: (subscriber: Subscriber): string | undefined =>
      customerOf(subscriber) && `${address}/manage?token=${createPortalToken(key, subscriber.id, clock())}`,

    /** Where whoever brings a token goes on: into the portal, or back to us with a word that it did not open. */
    async open(token: string): Promise<string> {
      const closed = `${managementUrl}?portal=closed`;
      const id = verifyPortalToken(key, token, clock());
      const subscriber = id && (await subscriberRepository.get(db, id));
      const customer = subscriber && customerOf(subscriber);
      if (!gateway || !customer) return closed;
      try {
        return (await gateway.manage(customer, managementUrl)) ?? closed;
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error;
        report({ reason: error.message }, 'the customer portal did not open');
        return closed;
      }
    },
  };
}

export type CustomerPortal = ReturnType<typeof createCustomerPortal>;
