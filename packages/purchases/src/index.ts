export {
  type Billing,
  type Branding,
  type CardSetup,
  CUSTOMER_INFO_MAX_AGE_MS,
  createBilling,
  customerInfoRetry,
  offeringsRetry,
} from './billing.ts';
export type { CustomerInfo } from './customer-info.ts';
export { PurchasesError, toPurchasesError } from './errors.ts';
export {
  initialPurchaseState,
  type PurchaseEvent,
  type PurchaseFailure,
  type PurchaseState,
  toPurchaseFailure,
} from './flow/machine.ts';
export {
  MAX_ATTEMPTS_MESSAGE,
  MAX_POLL_ATTEMPTS,
  POLL_INTERVAL_MS,
  type RunningPurchase,
  runPurchase,
} from './flow/runner.ts';
export { type Offering, type Package, type Period, type Price, parsePeriod } from './offerings.ts';
export type { Clock } from './transport.ts';
