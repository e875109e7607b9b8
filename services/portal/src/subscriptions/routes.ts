import { api } from '@escucho/contracts';
import type { Route } from '../route.ts';
import { toSubscription } from './presenter.ts';
import type { SubscriptionService } from './service.ts';

type Found = Awaited<ReturnType<SubscriptionService['find']>>;

const shown = ({ subscription, ...management }: Found) => ({
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
  route(api.subscription.findReceipts).handledBy(async ({ reader }) => ({
    docs: await subscriptions.findReceipts(reader),
  }));
}
