export {
  type Billing,
  type Branding,
  type CardSetup,
  createBilling,
  type Operation,
  type Order,
  type StartedPurchase,
} from './billing.ts';
export type { CustomerInfo, Entitlement } from './customer-info.ts';
export { asPurchasesError, errorNumber, PurchasesError, type PurchasesErrorCode } from './errors.ts';
export { type PurchaseFailure, toPurchaseFailure } from './flow/failure.ts';
export type { PurchaseEvent, PurchaseState } from './flow/machine.ts';
export { polling, type RunningPurchase, runPurchase, tooManyAttempts } from './flow/runner.ts';
export type { Offering, Offerings, Package, Phase, Price, Product, SubscriptionOption } from './offerings.ts';
export { type Period, parsePeriod } from './offerings.ts';
export { customerInfoAge, customerInfoRetry, isWorthRetry, offeringsRetry } from './retry.ts';
export type { Clock } from './transport.ts';
