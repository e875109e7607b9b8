import * as z from 'zod/mini';
import type { Caller } from '../caller.ts';
import { createRandomToken, sha256 } from '../crypto.ts';
import type { ProviderName } from '../database.ts';
import type { PoolDeps } from '../deps.ts';
import type { HostedSessionService } from '../hosted/service.ts';
import {
  type AuthorizationRequest,
  authorizationRequest,
  PageError,
  RedirectError,
} from '../oauth/policy.ts';
import { federatedSignInRepository } from '../oauth/repository.ts';
import { getSignInError } from '../users/policy.ts';
import type { IdentityProvider, ProviderProfile } from './providers.ts';

interface FederationServiceDeps extends PoolDeps {
  providers: ReadonlyMap<ProviderName, IdentityProvider>;
  hostedSessions: HostedSessionService;
  logError: (error: unknown, message: string) => void;
}

/** The time a user may take at another provider. */
const SIGN_IN_LIFETIME_MS = 15 * 60_000;

const pendingSignIn = z.object({
  provider: z.enum(['google', 'facebook']),
  /** The value of the browser's cookie, which the callback must repeat. */
  browserId: z.string(),
  callbackUrl: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  request: authorizationRequest,
});

/** A sign-in that continues when the provider redirects the browser back. */
export type PendingSignIn = z.infer<typeof pendingSignIn>;

/** Creates the service for sign-in by another identity provider. */
export function createFederationService(deps: FederationServiceDeps) {
  const { db, secrets, providers, users, hostedSessions, logError, clock } = deps;

  /** Starts a sign-in at a provider; returns the URL there. */
  async function startSignIn(
    request: AuthorizationRequest,
    provider: ProviderName,
    { browserId, callbackUrl }: { browserId: string; callbackUrl: string },
  ): Promise<string> {
    const identityProvider = providers.get(provider);
    if (!identityProvider) {
      throw new RedirectError(request, 'invalid_request', 'This identity provider is not set up.');
    }
    const [state, nonce, codeVerifier] = [createRandomToken(), createRandomToken(), createRandomToken()];
    const signIn: PendingSignIn = { provider, browserId, callbackUrl, nonce, codeVerifier, request };
    const { loginHint, prompt } = request;
    const url = await identityProvider
      .getAuthorizationUrl({ ...signIn, state, loginHint, reauthenticate: prompt === 'login' })
      .catch((error: unknown) => {
        logError(error, 'identity provider could not be reached');
        throw new RedirectError(request, 'server_error', 'The identity provider could not be reached.');
      });
    await federatedSignInRepository.insert(db, {
      hash: sha256(state),
      encryptedState: secrets.encrypt('federation', state, Buffer.from(JSON.stringify(signIn))),
      expiresAt: new Date(clock().getTime() + SIGN_IN_LIFETIME_MS),
    });
    return url.href;
  }

  /** Finds the pending sign-in of a state, if this browser started it and it has not expired. */
  async function findSignIn(
    state: string,
    browserId: string | undefined,
  ): Promise<PendingSignIn | undefined> {
    const found = await federatedSignInRepository.find(db, sha256(state));
    if (!found || found.expiresAt <= clock()) return undefined;
    const plain = secrets.decrypt('federation', state, found.encryptedState);
    const signIn = plain && pendingSignIn.parse(JSON.parse(plain.toString()));
    return signIn && signIn.browserId === browserId ? signIn : undefined;
  }

  async function fetchProfile(
    signIn: PendingSignIn,
    state: string,
    query: URLSearchParams,
  ): Promise<ProviderProfile> {
    if (query.get('error') === 'access_denied') {
      throw new RedirectError(signIn.request, 'access_denied', 'The sign-in was refused.');
    }
    try {
      const provider = providers.get(signIn.provider);
      if (!provider) throw new Error('The provider is not set up any more.');
      const url = new URL(`${signIn.callbackUrl}?${query}`);
      return await provider.fetchProfile({ ...signIn, state }, url);
    } catch (error) {
      logError(error, 'identity provider failed');
      throw new RedirectError(
        signIn.request,
        'server_error',
        'The identity provider did not say who this is.',
      );
    }
  }

  /**
   * Completes a sign-in with the query of the callback.
   * @returns the new hosted session, whose URL delivers the authorization response
   * @throws PageError where this browser did not start it; RedirectError where it fails
   */
  async function completeSignIn(query: URLSearchParams, browserId: string | undefined, caller: Caller) {
    const state = query.get('state') ?? '';
    const signIn = await findSignIn(state, browserId);
    if (!signIn) throw new PageError('interrupted');
    if (!(await federatedSignInRepository.delete(db, sha256(state)))) throw new PageError('interrupted');
    const profile = await fetchProfile(signIn, state, query);
    const { request, provider } = signIn;
    return db.transaction().execute(async (tx) => {
      const now = clock();
      const id = await users.upsertFederatedUser(tx, provider, profile, now);
      const user = await users.findById(tx, id);
      if (!user || getSignInError(user)) {
        throw new RedirectError(request, 'access_denied', 'User is disabled.');
      }
      return hostedSessions.createSignIn(request, caller)(tx, user, now);
    });
  }

  return { startSignIn, findSignIn, completeSignIn, providerNames: [...providers.keys()] };
}

export type FederationService = ReturnType<typeof createFederationService>;
