export { billingAdmin } from './admin.ts';
export { billing } from './billing.ts';
export { migrationsDirectory } from './database.ts';
export { unsentNotices } from './notices/outbox.ts';
export { checkedCatalogue } from './offerings/catalogue.ts';
export { type BillingKeys, type BillingOptions, isTestKey } from './options.ts';
export { giveSubscription } from './seed.ts';
