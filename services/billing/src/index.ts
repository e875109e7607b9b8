export { createBillingAdmin, grantSubscription } from './admin.ts';
export { billing } from './billing.ts';
export { migrationsDirectory } from './database.ts';
export { openEmailOutbox } from './notification-emails/service.ts';
export { parseCatalogue } from './offerings/catalogue.ts';
export { type BillingKeys, type BillingOptions, isTestKey } from './options.ts';
