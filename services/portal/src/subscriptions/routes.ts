import { api } from '@escucho/contracts';
import type { Route } from '../route.ts';
import { toSubscription } from './presenter.ts';
import type { SubscriptionService } from './service.ts';

type Found = Awaited<ReturnType<SubscriptionService['find']>>;

const shown = <F extends Pick<Found, 'subscription'>>({ subscription, ...management }: F) => ({
  ...management,
  subscription: toSubscription(subscription),
});

export function registerSubscriptionRoutes(route: Route, subscriptions: SubscriptionService): void {
  route(api.subscription.findSubscription).handle(async ({ user }) => shown(await subscriptions.find(user)));
  route(api.subscription.cancelSubscription).handle(async ({ user }) =>
    shown(await subscriptions.cancel(user)),
  );
  route(api.subscription.resumeSubscription).handle(async ({ user }) =>
    shown(await subscriptions.resume(user)),
  );
  route(api.subscription.changePlan).handle(async ({ user, body }) =>
    shown(await subscriptions.changePlan(user, body.product)),
  );
  route(api.subscription.payRenewal).handle(async ({ user }) => shown(await subscriptions.payRenewal(user)));
  route(api.subscription.createCardSetup).handle(({ user }) => subscriptions.createCardSetup(user));
  route(api.subscription.replaceCard).handle(async ({ user, body }) =>
    shown(await subscriptions.replaceCard(user, body.setup)),
  );
  route(api.subscription.findReceipts).handle(async ({ user }) => ({
    docs: await subscriptions.findReceipts(user),
  }));
}
