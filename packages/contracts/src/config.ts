import * as z from 'zod/mini';

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
  operators: z.array(z.string()),
  communityUrl: z.string(),
  /** The embedded default's outbox, so that a newcomer finds the code; null elsewhere. */
  outbox: z.nullable(z.string()),
});
export type PublicConfig = z.infer<typeof publicConfig>;
