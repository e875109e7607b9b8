import { type BillingFault, faults } from '../faults.ts';
import { baseOption, type CatalogueFile, termsOf, trialOption } from '../offerings/catalogue.ts';
import { isEligible, isSubscribed } from '../subscribers/policy.ts';
import type { Subscription, Terms } from '../subscriptions/facts.ts';

/** A purchase as the app asks for it. */
export interface Purchase {
  appUserId: string;
  product: string;
  email: string;
  offering: string;
  option: string;
}

/** The terms of what a purchase names, as it is for sale. Throws `BillingFault` where it is not. */
export function termsOnSale(
  { products, offerings }: CatalogueFile,
  { product: id, option, offering: named }: Pick<Purchase, 'product' | 'option' | 'offering'>,
): Terms {
  const product = products.find(({ identifier }) => identifier === id);
  if (!product) throw faults.productUnknown();
  const offering = offerings.find(({ identifier }) => identifier === named);
  if (!offering?.packages.some((each) => each.product === id)) {
    throw faults.badRequest('presented_offering_identifier: there is no such offering of this product.');
  }
  if (option !== baseOption && (option !== trialOption || !product.trial)) throw faults.offerUnknown();
  return termsOf(product, option);
}

/**
 * What is against a purchase, when it is begun and again when its card has come; undefined where nothing is. In: what is
 * bought, all that the subscriber has or had, the time by the subscriber's clock.
 */
export function refusalOf(
  { trial }: Pick<Terms, 'trial'>,
  states: readonly Subscription[],
  now: Date,
): BillingFault | undefined {
  if (isSubscribed(states, now)) return faults.alreadySubscribed();
  return trial !== null && !isEligible(states) ? faults.notEligible() : undefined;
}
