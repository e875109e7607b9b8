import type { Platform } from '@escucho/contracts';
import type { FastifyInstance } from 'fastify';
import { createAccountRepository } from '../accounts/repository.ts';
import type { Database } from '../database.ts';
import { createHttpGateway, GATEWAY_LIMITS, type GatewayLimits, type OperatorSettings } from './gateway.ts';
import { createOperatorRepository } from './repository.ts';
import { registerOperatorRoutes, SIGN_INS_PER_MINUTE } from './routes.ts';
import { createOperatorService, type Operator, type OperatorService } from './service.ts';
import type { OperatorTokens } from './tokens.ts';

/** The operators whose subscribers may sign in, and the key of the tokens that they are given. */
export interface OperatorOptions {
  tokenSecret: string;
  gateways: Partial<Record<Platform, OperatorSettings>>;
  limits?: GatewayLimits;
  /** How many sign-ins a minute one address is allowed. */
  perMinute?: number;
}

interface RegisterOptions extends Omit<OperatorOptions, 'tokenSecret'> {
  tokens: OperatorTokens;
  clock: () => Date;
}

/** Operators by their gateways, with their endpoint; what is being asked is waited for when the app begins to close. */
export async function registerOperators(
  app: FastifyInstance,
  db: Database,
  { gateways, limits = GATEWAY_LIMITS, perMinute = SIGN_INS_PER_MINUTE, tokens, clock }: RegisterOptions,
): Promise<OperatorService> {
  const { log } = app;
  const operators = Object.entries(gateways).map(([platform, settings]) => {
    const gateway = createHttpGateway(platform, settings, { limits, log });
    return [platform, { gateway, secret: settings.secret }] as const;
  });
  const service = createOperatorService({
    ...{ operators: new Map<string, Operator>(operators), readers: createOperatorRepository(db) },
    ...{ accounts: createAccountRepository(db), tokens, clock, log },
  });
  app.addHook('preClose', service.waitForChecks);
  await registerOperatorRoutes(app, service, perMinute);
  return service;
}
