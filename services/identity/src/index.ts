export { migrationsDirectory } from './database.ts';
export { identity } from './identity.ts';
export type { Mail, Mailer } from './mail/mailer.ts';
export { outbox } from './mail/outbox.ts';
export { outboxMailer } from './mail/repository.ts';
export type { IdentityOptions, OAuthOptions } from './options.ts';
export { type SeedAccount, seedAccount } from './seed.ts';
export { keys } from './tokens/keys.ts';
