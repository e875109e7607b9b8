import { randomBytes } from 'node:crypto';
import { billingErrors } from '../errors.ts';
import { GatewayError, ignoreGatewayError } from '../gateways/gateway.ts';
import { type Environment, isSubscribed, type Subscriber, toSubscriberTime } from '../subscribers/policy.ts';
import { subscriberRepository } from '../subscribers/repository.ts';
import { requireGateway } from '../subscriptions/processing.ts';
import { subscriptionRepository } from '../subscriptions/repository.ts';
import { errorCodes, findRefusal, type Purchase, resolveTerms } from './policy.ts';
import { type CheckoutDeps, createCheckoutProcessing } from './processing.ts';
import { type Checkout, checkoutRepository } from './repository.ts';

const CARD_FORM_MS = 3_600_000;

/** Creates the service for purchases. */
export function createCheckoutService(deps: CheckoutDeps) {
  const { db, catalogue, gateways, subscribers, report, clock } = deps;
  const { advance, pay } = createCheckoutProcessing(deps);

  return {
    /** Starts a purchase of a subscriber. Returns its session id and what the card form needs. */
    async start(environment: Environment, subscriber: Subscriber, purchase: Purchase) {
      const gateway = gateways[environment];
      if (!gateway) throw billingErrors.storeProblem();
      const terms = resolveTerms(catalogue, purchase);
      const states = await subscribers.findStates(subscriber);
      const refusal = findRefusal(terms, states, toSubscriberTime(subscriber, clock()));
      if (refusal) throw refusal;
      const id = `checkout_${randomBytes(18).toString('base64url')}`;
      const { email } = purchase;
      const customer = subscriber.payers[environment]?.customer;
      const setup = await gateway.createSetup({ checkout: id, email, customer }).catch((error: unknown) => {
        throw error instanceof GatewayError ? billingErrors.gatewayRefused() : error;
      });
      const now = clock();
      const isStarted = await db.transaction().execute(async (tx) => {
        if ((await subscriberRepository.lock(tx, subscriber.id)).appUserId === null) return false;
        await subscriberRepository.update(tx, subscriber.id, { email });
        await checkoutRepository.insert(tx, {
          id,
          subscriberId: subscriber.id,
          terms,
          offering: purchase.offering,
          isSandbox: environment === 'sandbox',
          customer: setup.customer,
          setup: setup.setup,
          createdAt: now,
          expiresAt: new Date(now.getTime() + CARD_FORM_MS),
        });
        return true;
      });
      if (!isStarted) {
        // The subscriber was deleted in between, so the customer must be deleted at the gateway too.
        await gateway.deleteCustomer(setup.customer);
        throw billingErrors.badRequest('app_user_id: was deleted just now.', 409);
      }
      return { id, setup };
    },

    /**
     * Returns a checkout after taking it as far as it goes.
     *
     * @throws BillingError 7226 for an unknown session; 7772 where it was refused because the subscriber has bought in another
     * window (BUY-07)
     */
    async getStatus(id: string): Promise<Checkout> {
      let checkout = await checkoutRepository.find(db, id);
      if (!checkout) throw billingErrors.unknownSession();
      if (checkout.status === 'started' || checkout.status === 'in_progress') {
        // The next poll may reach the gateway.
        await advance(checkout).catch(ignoreGatewayError);
        checkout = (await checkoutRepository.find(db, id)) ?? checkout;
      }
      if (checkout.errorCode === errorCodes.setup) {
        const subscriber = await subscriberRepository.findById(db, checkout.subscriberId);
        const states = subscriber ? await subscribers.findStates(subscriber) : [];
        if (subscriber && isSubscribed(states, toSubscriberTime(subscriber, clock())))
          throw billingErrors.alreadySubscribed();
      }
      return checkout;
    },

    /** Handles a gateway's event about a card set-up. Ignores one of another system. */
    async handleSetup(setup: string): Promise<void> {
      const checkout = await checkoutRepository.findBySetup(db, setup);
      if (checkout) await advance(checkout);
    },

    /** Completes a payment whose process died. Throws while it is undecided, so that the job is tried again. */
    async resume(id: string): Promise<void> {
      const checkout = await checkoutRepository.find(db, id);
      if (checkout?.status !== 'in_progress') return;
      await pay(id, true);
      if ((await checkoutRepository.find(db, id))?.status === 'in_progress') {
        throw new Error('the payment of the checkout is not decided yet');
      }
    },

    /** Handles a gateway's event about a charge, which may belong to something else. */
    async handleCharge(key: string): Promise<void> {
      const checkout = await checkoutRepository.find(db, key);
      if (checkout?.status === 'in_progress') await pay(key, true);
    },

    /** Returns whether there is a checkout for a gateway's order. */
    hasOrder: async (key: string) => (await checkoutRepository.find(db, key)) !== undefined,

    /**
     * Cancels and refunds a gateway subscription that no record refers to, once its checkout is settled.
     *
     * @param orderKey - the key it was ordered by
     * @returns whether it was such a subscription
     * @throws GatewayError
     */
    async cancelOrphan(orderKey: string, gatewaySubscription: string): Promise<boolean> {
      const checkout = await checkoutRepository.find(db, orderKey);
      if (checkout?.status !== 'succeeded' && checkout?.status !== 'failed') return false;
      // After the status: a checkout and its subscription are recorded in one transaction.
      if (await subscriptionRepository.findByGatewaySubscription(db, gatewaySubscription)) return false;
      if (await requireGateway(gateways, checkout).cancelOrphan(gatewaySubscription)) {
        report({ gatewaySubscription }, 'cancelled an orphaned subscription at the gateway and refunded it');
      }
      return true;
    },
  };
}

export type CheckoutService = ReturnType<typeof createCheckoutService>;
