export {
  createIdentityAdmin,
  seedAccount,
  UserLookupError,
  type UserSummary,
} from './admin.ts';
export { identity } from './identity.ts';
export { outbox } from './mail/outbox.ts';
export type { IdentityOptions, OAuthOptions } from './options.ts';
export { createSessionReader } from './sessions/service.ts';
export { assertSecretsMatch, createPublicKeyResolver } from './tokens/keys.ts';
