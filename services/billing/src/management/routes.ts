import { AppError, billingApi } from '@escucho/contracts';
import { createRouter } from '@escucho/service-kit';
import type { FastifyInstance } from 'fastify';
import { billingErrors } from '../errors.ts';
import type { Keyring } from '../protocol/envelope.ts';
import { isAppUserId } from '../subscribers/policy.ts';
import type { PurchaseTokens } from '../tokens.ts';
import type { ManagementService } from './service.ts';

interface ManagementRouteDeps {
  authenticate: Keyring;
  management: ManagementService;
  purchaseTokens: PurchaseTokens;
}

/** Registers the endpoints for servers, which authenticate with the secret key. Errors have the protocol's envelope. */
export function registerManagement(
  app: FastifyInstance,
  { authenticate, management, purchaseTokens }: ManagementRouteDeps,
): void {
  const route = createRouter(app, {
    authenticate: async (request) => {
      if (authenticate(request).kind !== 'secret') throw billingErrors.wrongKeyKind();
      return { id: 'server' };
    },
  });
  route(billingApi.findManagement).handle(({ params }) => management.find(params.appUserId));
  route(billingApi.cancel).handle(({ params }) => management.cancel(params.appUserId));
  route(billingApi.resume).handle(({ params }) => management.resume(params.appUserId));
  route(billingApi.choosePlan).handle(({ params, body }) =>
    management.choosePlan(params.appUserId, body.product),
  );
  route(billingApi.pay).handle(({ params }) => management.pay(params.appUserId));
  route(billingApi.createCardSetup).handle(({ params }) => management.createCardSetup(params.appUserId));
  route(billingApi.replaceCard).handle(({ params, body }) =>
    management.replaceCard(params.appUserId, body.setup),
  );
  route(billingApi.createPurchaseToken).handle(async ({ params: { appUserId } }) => {
    if (!isAppUserId(appUserId)) throw billingErrors.invalidUserId();
    return { token: await purchaseTokens.create(appUserId) };
  });
  route(billingApi.findReceipts).handle(async ({ params }) => ({
    docs: await management.listReceipts(params.appUserId),
  }));
  route(billingApi.refund).handle(({ params }) => management.refund(params.appUserId, params.receipt));
  route(billingApi.deleteSubscriber).handle(async ({ params }) => {
    if (!(await management.deleteSubscriber(params.appUserId))) throw new AppError('not_found');
    return { app_user_id: params.appUserId, deleted: true };
  });
}
