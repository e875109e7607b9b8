import { api } from '@escucho/contracts';
import { toSubscription } from '../accounts/user.ts';
import type { Route } from '../request.ts';
import type { SubscriptionService } from './service.ts';

type Management = Awaited<ReturnType<SubscriptionService['find']>>;

const toResponse = <M extends Pick<Management, 'subscription'>>({ subscription, ...management }: M) => ({
  ...management,
  subscription: toSubscription(subscription),
});

export function registerSubscriptionRoutes(route: Route, subscriptions: SubscriptionService): void {
  route(api.subscription.findSubscription).handle(async ({ user }) =>
    toResponse(await subscriptions.find(user)),
  );
  route(api.subscription.cancelSubscription).handle(async ({ user }) =>
    toResponse(await subscriptions.cancel(user)),
  );
  route(api.subscription.resumeSubscription).handle(async ({ user }) =>
    toResponse(await subscriptions.resume(user)),
  );
  route(api.subscription.changePlan).handle(async ({ user, body }) =>
    toResponse(await subscriptions.changePlan(user, body.product)),
  );
  route(api.subscription.payRenewal).handle(async ({ user }) =>
    toResponse(await subscriptions.payRenewal(user)),
  );
  route(api.subscription.createCardSetup).handle(({ user }) => subscriptions.createCardSetup(user));
  route(api.subscription.replaceCard).handle(async ({ user, body }) =>
    toResponse(await subscriptions.replaceCard(user, body.setup)),
  );
  route(api.subscription.findReceipts).handle(async ({ user }) => ({
    docs: await subscriptions.findReceipts(user),
  }));
}
