import { api } from '@escucho/contracts';
import { createRouter } from '@escucho/service-kit';
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import type { OperatorService } from './service.ts';

/** Whoever guesses is slowed down; many subscribers share one address of their operator. */
export const SIGN_INS_PER_MINUTE = 60;

/** In: how many sign-ins a minute one address is allowed. */
export async function registerOperatorRoutes(
  app: FastifyInstance,
  operators: OperatorService,
  perMinute: number,
): Promise<void> {
  await app.register(async (limited) => {
    await limited.register(rateLimit, { max: perMinute, timeWindow: 60_000 });
    const route = createRouter(limited, { authenticate: () => Promise.reject(new Error('for anyone')) });
    route(api.operators.signInThirdParties).handle(({ body }) => operators.signIn(body));
  });
}
