import * as z from 'zod/mini';
import { platform } from './entities/user.ts';

/** The public runtime configuration at /config.json: what the web app must know of the place it runs in. Addresses are absolute. */
export const publicConfig = z.object({
  api: z.string(),
  identity: z.object({
    endpoint: z.string(),
    userPoolId: z.string(),
    clientId: z.string(),
    issuer: z.string(),
    jwksUri: z.string(),
    /** Whether it lists below its endpoint where a reader is signed in; the embedded one does. */
    listsSessions: z.boolean(),
    /** Where guests are named; not there where they are not. */
    identityPoolId: z.optional(z.string()),
    oauth: z.nullable(
      z.object({
        domain: z.string(),
        scopes: z.array(z.string()),
        redirectSignIn: z.array(z.string()),
        redirectSignOut: z.array(z.string()),
      }),
    ),
  }),
  billing: z.nullable(z.object({ baseUrl: z.string(), apiKey: z.string() })),
  /** The operators whose readers can come in: where each one's subscription page is, and the tag-manager container to load for its readers, if any. */
  operators: z.array(z.object({ platform, page: z.string(), tagManagerId: z.nullable(z.string()) })),
  communityUrl: z.string(),
  /** The embedded default's outbox, so that a newcomer finds the code; null elsewhere. */
  outbox: z.nullable(z.string()),
});
export type PublicConfig = z.infer<typeof publicConfig>;
