import type { Platform } from '@escucho/contracts';
import type { FastifyInstance } from 'fastify';
import { createAccountDataRepository } from '../account-data/repository.ts';
import { createAccountRepository } from '../accounts/repository.ts';
import type { Database } from '../database.ts';
import { createHttpGateway, GATEWAY_LIMITS, type GatewayLimits, type OperatorSettings } from './gateway.ts';
import { createOperatorRepository } from './repository.ts';
import { createOperatorService, type Operator, type OperatorService } from './service.ts';
import type { OperatorTokens } from './tokens.ts';

export interface OperatorOptions {
  /** The key of the tokens issued to operators' users; at least 32 characters. */
  tokenSecret: string;
  /** The operators whose subscribers may sign in. */
  gateways: Partial<Record<Platform, OperatorSettings>>;
  limits?: GatewayLimits;
}

interface SignInOptions extends Omit<OperatorOptions, 'tokenSecret'> {
  tokens: OperatorTokens;
  clock: () => Date;
}

/** Creates the service of sign-in through operators. Pending checks at the gateways finish before the app closes. */
export function createOperatorSignIn(
  app: FastifyInstance,
  db: Database,
  { gateways, limits = GATEWAY_LIMITS, tokens, clock }: SignInOptions,
): OperatorService {
  const { log } = app;
  const operators = Object.entries(gateways).map(([platform, settings]): [string, Operator] => {
    const gateway = createHttpGateway(platform, settings, { limits, log });
    return [platform, { gateway, secret: settings.secret }];
  });
  const service = createOperatorService({
    operators: new Map(operators),
    users: createOperatorRepository(db),
    accounts: createAccountRepository(db),
    accountData: createAccountDataRepository(db),
    tokens,
    clock,
    log,
  });
  app.addHook('preClose', service.waitForChecks);
  return service;
}
