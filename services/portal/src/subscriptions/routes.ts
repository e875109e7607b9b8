import { api } from '@escucho/contracts';
import type { Route } from '../request.ts';
import type { SubscriptionService } from './service.ts';

export function registerSubscriptionRoutes(route: Route, subscriptions: SubscriptionService): void {
  const { subscription } = api;
  route(subscription.findSubscription).handle(({ user }) => subscriptions.find(user));
  route(subscription.cancelSubscription).handle(({ user }) => subscriptions.cancel(user));
  route(subscription.resumeSubscription).handle(({ user }) => subscriptions.resume(user));
  route(subscription.changePlan).handle(({ user, body }) => subscriptions.changePlan(user, body.product));
  route(subscription.payRenewal).handle(({ user }) => subscriptions.payRenewal(user));
  route(subscription.createCardSetup).handle(({ user }) => subscriptions.createCardSetup(user));
  route(subscription.replaceCard).handle(({ user, body }) => subscriptions.replaceCard(user, body.setup));
  route(subscription.createPurchaseToken).handle(({ user }) => subscriptions.createPurchaseToken(user));
  route(subscription.findReceipts).handle(({ user }) => subscriptions.findReceipts(user));
}
