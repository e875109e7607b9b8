import * as openid from 'openid-client';
import * as z from 'zod/mini';
import type { Upstream, UpstreamProfile } from './upstream.ts';

/** The keys an installation has at another provider. */
export interface UpstreamKeys {
  clientId: string;
  clientSecret: string;
}

const timeoutSeconds = 10;
const line = z.string().check(z.minLength(1), z.maxLength(254), z.regex(/^[^\p{Cc}\p{Cs}]*$/u));
// What cannot be kept or shown on a line is left out; only who somebody is may not be.
const text = z.catch(z.nullish(line), null);
const claims = z.object({
  sub: z.string().check(z.regex(/^[\w.|-]{1,128}$/)),
  email: text,
  email_verified: z.catch(z.union([z.boolean(), z.literal('true'), z.literal('false')]), false),
  given_name: text,
  family_name: text,
});

/** Requests without TLS are made to this machine alone. */
function isLoopback(url: URL): boolean {
  return url.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
}

/** What leaves the code, its target and state: the checks the library makes before it believes an answer. */
function checksOf({ state, nonce, verifier }: { state: string; nonce: string; verifier: string }) {
  return { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
}

/**
 * A provider that speaks OpenID Connect, found by discovery when first needed: Google, or its like at another issuer.
 * In: the keys there.
 */
export function openidUpstream(
  { clientId, clientSecret }: UpstreamKeys,
  issuer = 'https://accounts.google.com',
): Upstream {
  const server = new URL(issuer);
  let known: Promise<openid.Configuration> | undefined;

  function configuration(): Promise<openid.Configuration> {
    known ??= openid.discovery(server, clientId, clientSecret, openid.ClientSecretPost(clientSecret), {
      timeout: timeoutSeconds,
      // The id token's signature is checked too, not only whom it was fetched from.
      execute: [
        openid.enableNonRepudiationChecks,
        ...(isLoopback(server) ? [openid.allowInsecureRequests] : []),
      ],
    });
    known.catch(() => {
      known = undefined;
    });
    return known;
  }

  return {
    async begin({ callback, state, nonce, verifier, loginHint }) {
      return openid.buildAuthorizationUrl(await configuration(), {
        redirect_uri: callback,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(loginHint !== undefined && { login_hint: loginHint }),
      });
    },

    async finish(visit, address): Promise<UpstreamProfile> {
      const answer = await openid.authorizationCodeGrant(await configuration(), address, checksOf(visit));
      const said = claims.parse(answer.claims());
      return {
        subject: said.sub,
        email: said.email ?? null,
        emailVerified: said.email_verified === true || said.email_verified === 'true',
        givenName: said.given_name ?? null,
        familyName: said.family_name ?? null,
      };
    },
  };
}

/** Where Facebook's dialog and Graph are. */
export interface FacebookAddresses {
  dialog: string;
  graph: string;
}

const facebookAddresses: FacebookAddresses = {
  dialog: 'https://www.facebook.com/v23.0/dialog/oauth',
  graph: 'https://graph.facebook.com/v23.0',
};
const graphUser = z.object({
  id: z.string().check(z.regex(/^\d{1,32}$/)),
  email: text,
  first_name: text,
  last_name: text,
});

/** Facebook: OAuth 2, then the person from Graph. It has no discovery, and says nothing of whether an address is theirs. */
export function facebookUpstream(
  { clientId, clientSecret }: UpstreamKeys,
  { dialog, graph }: FacebookAddresses = facebookAddresses,
): Upstream {
  const server = {
    issuer: new URL(dialog).origin,
    authorization_endpoint: dialog,
    token_endpoint: `${graph}/oauth/access_token`,
  };
  const auth = openid.ClientSecretPost(clientSecret);
  const config = new openid.Configuration(server, clientId, clientSecret, auth);
  config.timeout = timeoutSeconds;
  if (isLoopback(new URL(graph))) openid.allowInsecureRequests(config);

  return {
    async begin({ callback, state, verifier }) {
      return openid.buildAuthorizationUrl(config, {
        redirect_uri: callback,
        scope: 'public_profile email',
        state,
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
    },

    async finish({ state, verifier }, address): Promise<UpstreamProfile> {
      const checks = { expectedState: state, pkceCodeVerifier: verifier };
      const { access_token: token } = await openid.authorizationCodeGrant(config, address, checks);
      const me = new URL(`${graph}/me?fields=id,email,first_name,last_name`);
      const answer = await openid.fetchProtectedResource(config, token, me, 'GET');
      if (!answer.ok) throw new Error(`Graph answered ${answer.status}.`);
      const said = graphUser.parse(await answer.json());
      return {
        subject: said.id,
        email: said.email ?? null,
        emailVerified: false,
        givenName: said.first_name ?? null,
        familyName: said.last_name ?? null,
      };
    },
  };
}
