export { createBillingAdmin } from './admin.ts';
export { billing } from './billing.ts';
export { migrationsDirectory } from './database.ts';
export { openEmailOutbox } from './notification-emails/outbox.ts';
export { parseCatalogue } from './offerings/catalogue.ts';
export { type BillingKeys, type BillingOptions, isTestKey } from './options.ts';
export { grantSubscription } from './seed.ts';
