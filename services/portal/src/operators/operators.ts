import type { Platform } from '@escucho/contracts';
import type { FastifyInstance } from 'fastify';
import { accountRepository } from '../accounts/repository.ts';
import type { Database } from '../database.ts';
import type { ReaderTokens } from '../reader-tokens.ts';
import { type GatewayLimits, gatewayLimits, httpGateway, type OperatorSettings } from './gateway.ts';
import { operatorRepository } from './repository.ts';
import { operatorRoutes, signInsPerMinute } from './routes.ts';
import { type Operator, type OperatorService, operatorService } from './service.ts';

/** The operators whose subscribers may sign in, and the key of the tokens that they are given. */
export interface OperatorOptions {
  tokenSecret: string;
  gateways: Partial<Record<Platform, OperatorSettings>>;
  limits?: GatewayLimits;
  /** How many sign-ins a minute one address is allowed. */
  perMinute?: number;
}

interface Parts extends Omit<OperatorOptions, 'tokenSecret'> {
  tokens: ReaderTokens;
  clock: () => Date;
}

/** Operators by their gateways, with their endpoint; what is being asked is waited for when the app begins to close. */
export async function registerOperators(
  app: FastifyInstance,
  db: Database,
  { gateways, limits = gatewayLimits, perMinute = signInsPerMinute, tokens, clock }: Parts,
): Promise<OperatorService> {
  const { log } = app;
  const operators = Object.entries(gateways).map(([platform, settings]) => {
    const gateway = httpGateway(platform, settings, { limits, log });
    return [platform, { gateway, secret: settings.secret }] as const;
  });
  const service = operatorService({
    ...{ operators: new Map<string, Operator>(operators), readers: operatorRepository(db) },
    ...{ accounts: accountRepository(db), tokens, clock, log },
  });
  app.addHook('preClose', service.settled);
  await operatorRoutes(app, service, perMinute);
  return service;
}
