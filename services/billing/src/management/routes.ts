import { AppError, billingApi } from '@escucho/contracts';
import { createRouter } from '@escucho/service-kit';
import type { FastifyInstance } from 'fastify';
import type { PurchaseTokens } from '../checkouts/tokens.ts';
import { billingErrors } from '../errors.ts';
import type { Keyring } from '../protocol/envelope.ts';
import { isAppUserId } from '../subscribers/policy.ts';
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
  const { subscribers } = billingApi;
  route(subscribers.findManagement).handle(({ params }) => management.find(params.appUserId));
  route(subscribers.cancel).handle(({ params }) => management.cancel(params.appUserId));
  route(subscribers.resume).handle(({ params }) => management.resume(params.appUserId));
  route(subscribers.choosePlan).handle(({ params, body }) =>
    management.choosePlan(params.appUserId, body.product),
  );
  route(subscribers.pay).handle(({ params }) => management.pay(params.appUserId));
  route(subscribers.createCardSetup).handle(({ params }) => management.createCardSetup(params.appUserId));
  route(subscribers.replaceCard).handle(({ params, body }) =>
    management.replaceCard(params.appUserId, body.setup),
  );
  route(subscribers.createPurchaseToken).handle(async ({ params: { appUserId } }) => {
    if (!isAppUserId(appUserId)) throw billingErrors.invalidUserId();
    return { token: await purchaseTokens.create(appUserId) };
  });
  route(subscribers.findReceipts).handle(async ({ params }) => ({
    docs: await management.listReceipts(params.appUserId),
  }));
  route(subscribers.refund).handle(({ params }) => management.refund(params.appUserId, params.receipt));
  route(subscribers.deleteSubscriber).handle(async ({ params }) => {
    if (!(await management.deleteSubscriber(params.appUserId))) throw new AppError('not_found');
    return { app_user_id: params.appUserId, deleted: true };
  });
}
