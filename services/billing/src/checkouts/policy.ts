import { type BillingError, faults } from '../errors.ts';
import { BASE_OPTION, type Catalogue, TRIAL_OPTION, toTerms } from '../offerings/catalogue.ts';
import { isSubscribed, isTrialEligible } from '../subscribers/policy.ts';
import type { Subscription, Terms } from '../subscriptions/events.ts';

/** A purchase as the app asks for it. */
export interface Purchase {
  appUserId: string;
  product: string;
  email: string;
  offering: string;
  option: string;
}

/** The terms of what a purchase names, as it is for sale. Throws `BillingError` where it is not. */
export function resolveTerms(
  { products, offerings }: Catalogue,
  { product: id, option, offering: named }: Pick<Purchase, 'product' | 'option' | 'offering'>,
): Terms {
  const product = products.find(({ identifier }) => identifier === id);
  if (!product) throw faults.unknownProduct();
  const offering = offerings.find(({ identifier }) => identifier === named);
  if (!offering?.packages.some((each) => each.product === id)) {
    throw faults.badRequest('presented_offering_identifier: there is no such offering of this product.');
  }
  if (option !== BASE_OPTION && (option !== TRIAL_OPTION || !product.trial)) throw faults.unknownOffer();
  return toTerms(product, option);
}

/**
 * What is against a purchase, when it is begun and again when its card has come; undefined where nothing is. In: what is
 * paidPeriod, all that the subscriber has or had, the time by the subscriber's clock.
 */
export function toRefusal(
  { trial }: Pick<Terms, 'trial'>,
  states: readonly Subscription[],
  now: Date,
): BillingError | undefined {
  if (isSubscribed(states, now)) return faults.alreadySubscribed();
  return trial !== null && !isTrialEligible(states) ? faults.notEligible() : undefined;
}
