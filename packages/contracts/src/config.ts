import * as z from 'zod/mini';
import { platform } from './entities/user.ts';

/** The page that loads the tag manager, shown in a frame that is isolated from the product (EXT-04). */
export const TAG_MANAGER_PATH = '/tag-manager';

/** The public runtime configuration of the web app, served at /config.json. URLs are absolute. */
export const publicConfig = z.object({
  api: z.string(),
  identity: z.object({
    endpoint: z.string(),
    userPoolId: z.string(),
    clientId: z.string(),
    issuer: z.string(),
    jwksUri: z.string(),
    // Not in configurations cached before they were added.
    /** Whether it is the embedded provider. It lists sessions, mails codes and creates recovery codes, as Cognito does not. */
    isEmbedded: z.optional(z.boolean()),
    /** Whether the provider offers passkeys at this origin, to users who have not named themselves too. */
    passkeys: z.optional(z.boolean()),
    /** The same as `isEmbedded`. Cached apps of 0.2.0 refuse configurations without it. */
    listsSessions: z.optional(z.boolean()),
    /** Whether visitors who are not signed in get an identity and credentials. */
    guestAccess: z.boolean(),
    /** The identity pool of GetId; present with guest access only. */
    identityPoolId: z.optional(z.string()),
    oauth: z.nullable(
      z.object({
        domain: z.string(),
        scopes: z.array(z.string()),
        redirectSignIn: z.array(z.string()),
        redirectSignOut: z.array(z.string()),
        /** The external providers that users can sign in with; absent where all may be set up, as at Cognito. */
        providers: z.optional(z.array(z.enum(['Facebook', 'Google']))),
      }),
    ),
  }),
  billing: z.nullable(z.object({ baseUrl: z.string(), apiKey: z.string() })),
  /** The operators whose subscribers can sign in, with their subscription page and tag-manager container, if any. */
  operators: z.array(z.object({ platform, page: z.string(), tagManagerId: z.nullable(z.string()) })),
  communityUrl: z.string(),
  /** Where users get help if the billing provider names no address; not in configurations cached before it was added. */
  supportEmail: z.optional(z.string()),
  /** Whether demo mode is on at an address that others can reach; not in configurations cached before it was added. */
  publicDemo: z.optional(z.boolean()),
  /** The outbox page of the embedded identity provider; null where mail is sent. */
  outbox: z.nullable(z.string()),
});
export type PublicConfig = z.infer<typeof publicConfig>;
