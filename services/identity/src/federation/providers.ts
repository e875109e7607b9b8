import * as openid from 'openid-client';
import * as z from 'zod/mini';
import type { User } from '../users/user.ts';

export interface ProviderCredentials {
  clientId: string;
  clientSecret: string;
}

export interface ProviderProfile extends Pick<User, 'email' | 'emailVerified' | 'givenName' | 'familyName'> {
  subject: string;
}

/** The parameters of a request to a provider; `state`, `nonce` and `codeVerifier` bind the callback to the request. */
interface ProviderRequest {
  callbackUrl: string;
  state: string;
  nonce: string;
  codeVerifier: string;
  loginHint?: string | undefined;
  /** Whether the user must act at the provider although the browser is signed in there. */
  reauthenticate?: boolean;
}

/** A federated identity provider. Both methods may throw anything; users see a generic error. */
export interface IdentityProvider {
  getAuthorizationUrl(request: ProviderRequest): Promise<URL>;
  /** Exchanges the code for the user's profile; `url` is the callback URL as the browser requested it. */
  fetchProfile(request: ProviderRequest, url: URL): Promise<ProviderProfile>;
}

const TIMEOUT_SECONDS = 10;
const line = z.string().check(z.minLength(1), z.maxLength(254), z.regex(/^[^\p{Cc}\p{Cs}]*$/u));
// A malformed optional attribute is dropped; only a malformed subject is an error.
const optionalLine = z.catch(z.nullish(line), null);
const idTokenClaims = z.object({
  sub: z.string().check(z.regex(/^[\w.|-]{1,128}$/)),
  email: optionalLine,
  email_verified: z.catch(z.union([z.boolean(), z.literal('true'), z.literal('false')]), false),
  given_name: optionalLine,
  family_name: optionalLine,
});

/** Plain http is allowed to loopback only. */
function isLoopback(url: URL): boolean {
  return url.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
}

/** Creates an OpenID Connect provider, by default Google. Its discovery document is loaded when first needed. */
export function createOpenIdProvider(
  { clientId, clientSecret }: ProviderCredentials,
  issuer = 'https://accounts.google.com',
): IdentityProvider {
  const issuerUrl = new URL(issuer);
  let cached: Promise<openid.Configuration> | undefined;

  function getConfiguration(): Promise<openid.Configuration> {
    cached ??= openid.discovery(issuerUrl, clientId, clientSecret, openid.ClientSecretPost(clientSecret), {
      timeout: TIMEOUT_SECONDS,
      // Verifies the id token's signature although it comes from the token endpoint over TLS.
      execute: [
        openid.enableNonRepudiationChecks,
        ...(isLoopback(issuerUrl) ? [openid.allowInsecureRequests] : []),
      ],
    });
    cached.catch(() => {
      cached = undefined;
    });
    return cached;
  }

  return {
    async getAuthorizationUrl({ callbackUrl, state, nonce, codeVerifier, loginHint, reauthenticate }) {
      return openid.buildAuthorizationUrl(await getConfiguration(), {
        redirect_uri: callbackUrl,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        ...(loginHint !== undefined && { login_hint: loginHint }),
        // Google does not support `login`; this makes the user at least choose the account.
        ...(reauthenticate && { prompt: 'select_account' }),
      });
    },

    async fetchProfile({ state, nonce, codeVerifier }, url) {
      const tokens = await openid.authorizationCodeGrant(await getConfiguration(), url, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
      });
      const claims = idTokenClaims.parse(tokens.claims());
      return {
        subject: claims.sub,
        email: claims.email ?? null,
        emailVerified: claims.email_verified === true || claims.email_verified === 'true',
        givenName: claims.given_name ?? null,
        familyName: claims.family_name ?? null,
      };
    },
  };
}

/** The URLs of Facebook's login dialog and Graph API. */
export interface FacebookEndpoints {
  dialog: string;
  graph: string;
}

const facebookEndpoints: FacebookEndpoints = {
  dialog: 'https://www.facebook.com/v23.0/dialog/oauth',
  graph: 'https://graph.facebook.com/v23.0',
};
const graphUser = z.object({
  id: z.string().check(z.regex(/^\d{1,32}$/)),
  email: optionalLine,
  first_name: optionalLine,
  last_name: optionalLine,
});

/** Creates Facebook's provider: OAuth 2 without discovery, the profile from Graph, email addresses never verified. */
export function createFacebookProvider(
  { clientId, clientSecret }: ProviderCredentials,
  { dialog, graph }: FacebookEndpoints = facebookEndpoints,
): IdentityProvider {
  const metadata = {
    issuer: new URL(dialog).origin,
    authorization_endpoint: dialog,
    token_endpoint: `${graph}/oauth/access_token`,
  };
  const clientAuthentication = openid.ClientSecretPost(clientSecret);
  const config = new openid.Configuration(metadata, clientId, clientSecret, clientAuthentication);
  config.timeout = TIMEOUT_SECONDS;
  if (isLoopback(new URL(graph))) openid.allowInsecureRequests(config);

  return {
    async getAuthorizationUrl({ callbackUrl, state, codeVerifier, reauthenticate }) {
      return openid.buildAuthorizationUrl(config, {
        redirect_uri: callbackUrl,
        scope: 'public_profile email',
        state,
        code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        ...(reauthenticate && { auth_type: 'reauthenticate' }),
      });
    },

    async fetchProfile({ state, codeVerifier }, url) {
      const checks = { expectedState: state, pkceCodeVerifier: codeVerifier };
      const { access_token: token } = await openid.authorizationCodeGrant(config, url, checks);
      const profileUrl = new URL(`${graph}/me?fields=id,email,first_name,last_name`);
      const response = await openid.fetchProtectedResource(config, token, profileUrl, 'GET');
      if (!response.ok) throw new Error(`Graph answered ${response.status}.`);
      const user = graphUser.parse(await response.json());
      return {
        subject: user.id,
        email: user.email ?? null,
        emailVerified: false,
        givenName: user.first_name ?? null,
        familyName: user.last_name ?? null,
      };
    },
  };
}
