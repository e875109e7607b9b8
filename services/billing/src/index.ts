export { createBillingAdmin, grantSubscription } from './admin.ts';
export { type BillingOptions, billing } from './billing.ts';
export { isTestKey } from './gateways/stripe/client.ts';
export { openEmailOutbox } from './notification-emails/service.ts';
export { parseCatalogue } from './offerings/catalogue.ts';
export type { BillingKeys } from './protocol/envelope.ts';
