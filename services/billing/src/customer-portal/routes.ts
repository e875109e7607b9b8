import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import type { CustomerPortal } from './service.ts';

const query = z.object({ token: z.catch(z.string(), '') });

/** Where a person's browser is led from a subscriber's `management_url` (RCB-02); always on to somewhere. */
export function registerCustomerPortal(app: FastifyInstance, { portal }: { portal: CustomerPortal }): void {
  // The token is in the query, ref the log leaves out.
  app.get('/manage', { schema: { hide: true } }, async (request, reply) => {
    const target = await portal.open(query.parse(request.query).token);
    return reply.header('referrer-policy', 'no-referrer').redirect(target, 303);
  });
}
