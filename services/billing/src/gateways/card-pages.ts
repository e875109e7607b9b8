import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { faults } from '../faults.ts';
import type { Gateway } from './gateway.ts';

const GOOD_FOR = 3600;

interface Options {
  /** Where pages reach this provider. */
  address: string;
  secret: string;
  clock: () => Date;
}

/**
 * Addresses that lead a subscriber to the gateway's page for cards, for an hour. The page itself is made when somebody
 * comes, so that showing a subscription asks nobody.
 */
export function cardPageLinks({ address, secret, clock }: Options) {
  const macOf = (customer: string, expires: number) =>
    createHmac('sha256', secret).update(`card page ${customer} ${expires}`).digest('base64url');

  return {
    linkFor(customer: string): string {
      const expires = Math.floor(clock().getTime() / 1000) + GOOD_FOR;
      return `${address}/cards/${customer}/${expires}/${macOf(customer, expires)}`;
    },

    isGood(customer: string, expires: number, mac: string): boolean {
      const expected = Buffer.from(macOf(customer, expires));
      const given = Buffer.from(mac);
      const isOurs = given.length === expected.length && timingSafeEqual(given, expected);
      return isOurs && expires * 1000 > clock().getTime();
    },
  };
}

interface Pages {
  cardPages: ReturnType<typeof cardPageLinks>;
  gateway: Gateway;
  /** Where the gateway's page leads back to. */
  returnTo: string;
}

/** Sends whoever has a good address on to the gateway's page. */
export function registerCardPages(app: FastifyInstance, { cardPages, gateway, returnTo }: Pages): void {
  app.get<{ Params: { customer: string; expires: string; mac: string } }>(
    '/cards/:customer/:expires/:mac',
    async (request, reply) => {
      const { customer, expires, mac } = request.params;
      if (!gateway.manage || !cardPages.isGood(customer, Number(expires), mac)) throw faults.nothingHere();
      return reply.redirect(await gateway.manage(customer, returnTo), 303);
    },
  );
}
