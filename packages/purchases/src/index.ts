export {
  type Billing,
  type Branding,
  type CardSetup,
  createBilling,
  type Operation,
  type Order,
  type StartedPurchase,
} from './billing.ts';
export type { Clock } from './clock.ts';
export type { CustomerInfo, Entitlement } from './customer-info.ts';
export { asPurchasesError, errorNumber, PurchasesError, type PurchasesErrorCode } from './errors.ts';
export { type PurchaseFailure, toPurchaseFailure } from './flow/failure.ts';
export type { PurchaseEvent, PurchaseState } from './flow/machine.ts';
export { polling, tooManyAttempts } from './flow/poll.ts';
export { type RunningPurchase, runPurchase } from './flow/runner.ts';
export type { Offering, Offerings, Package, Phase, Price, Product, SubscriptionOption } from './offerings.ts';
export { type Period, parsePeriod } from './period.ts';
export { customerInfoAge, customerInfoRetry, isWorthRetry, offeringsRetry } from './retry.ts';
