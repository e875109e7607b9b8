export { grantSubscription, verifySubscriptions } from './admin.ts';
export { type BillingOptions, billing, isTestKey } from './billing.ts';
export { openEmailOutbox } from './notification-emails/service.ts';
export { parseCatalogue } from './offerings/catalogue.ts';
export type { BillingKeys } from './protocol/envelope.ts';
