import { api } from '@escucho/contracts';
import type { Route } from '../route.ts';
import { toSubscription } from './presenter.ts';
import type { SubscriptionService } from './service.ts';

type Found = Awaited<ReturnType<SubscriptionService['find']>>;

const shown = <F extends Pick<Found, 'subscription'>>({ subscription, ...management }: F) => ({
  ...management,
  subscription: toSubscription(subscription),
});

export function subscriptionRoutes(route: Route, subscriptions: SubscriptionService): void {
  route(api.subscription.findSubscription).handledBy(async ({ reader }) =>
    shown(await subscriptions.find(reader)),
  );
  route(api.subscription.cancelSubscription).handledBy(async ({ reader }) =>
    shown(await subscriptions.cancel(reader)),
  );
  route(api.subscription.resumeSubscription).handledBy(async ({ reader }) =>
    shown(await subscriptions.resume(reader)),
  );
  route(api.subscription.changePlan).handledBy(async ({ reader, body }) =>
    shown(await subscriptions.changePlan(reader, body.product)),
  );
  route(api.subscription.payRenewal).handledBy(async ({ reader }) => shown(await subscriptions.pay(reader)));
  route(api.subscription.beginCard).handledBy(({ reader }) => subscriptions.beginCard(reader));
  route(api.subscription.takeCard).handledBy(async ({ reader, body }) =>
    shown(await subscriptions.takeCard(reader, body.setup)),
  );
  route(api.subscription.findReceipts).handledBy(async ({ reader }) => ({
    docs: await subscriptions.findReceipts(reader),
  }));
}
