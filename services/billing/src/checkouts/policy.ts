import { type BillingError, billingErrors } from '../errors.ts';
import { BASE_OPTION, type Catalogue, TRIAL_OPTION, toTerms } from '../offerings/catalogue.ts';
import { isSubscribed, isTrialEligible } from '../subscribers/policy.ts';
import type { Subscription, Terms } from '../subscriptions/events.ts';

/** The protocol's error codes of a failed checkout. */
export const errorCodes = { setup: 1, charge: 3 } as const;

/** A purchase request. */
export interface Purchase {
  product: string;
  email: string;
  offering: string;
  option: string;
}

/** Returns the current terms of the requested product and option. Throws `BillingError` where it is not on sale. */
export function resolveTerms(
  { products, offerings }: Catalogue,
  { product: id, option, offering: named }: Pick<Purchase, 'product' | 'option' | 'offering'>,
): Terms {
  const product = products.find(({ identifier }) => identifier === id);
  if (!product) throw billingErrors.unknownProduct();
  const offering = offerings.find(({ identifier }) => identifier === named);
  if (!offering?.packages.some((each) => each.product === id)) {
    throw billingErrors.badRequest(
      'presented_offering_identifier: there is no such offering of this product.',
    );
  }
  if (option !== BASE_OPTION && (option !== TRIAL_OPTION || !product.trial))
    throw billingErrors.unknownOffer();
  return toTerms(product, option);
}

/**
 * Returns why a purchase is refused, checked when it starts and again when the card is there.
 *
 * @param states - all subscriptions of the subscriber
 * @param now - by the subscriber's clock
 */
export function findRefusal(
  { trial }: Pick<Terms, 'trial'>,
  states: readonly Subscription[],
  now: Date,
): BillingError | undefined {
  if (isSubscribed(states, now)) return billingErrors.alreadySubscribed();
  return trial !== null && !isTrialEligible(states) ? billingErrors.notEligible() : undefined;
}
