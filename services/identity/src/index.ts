export { identityAdmin, type ListedPerson, NameFault } from './admin.ts';
export { migrationsDirectory } from './database.ts';
export { identity } from './identity.ts';
export { outbox } from './mail/outbox.ts';
export type { IdentityOptions, OAuthOptions } from './options.ts';
export { type SeedAccount, seedAccount } from './seed.ts';
export { keys } from './tokens/keys.ts';
