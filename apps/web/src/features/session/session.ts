import { api, buildPath, type User } from '@escucho/contracts';
import {
  API_BASE,
  ApiError,
  call,
  setTokenSource,
  takeEarlyResponse,
  UNAUTHORIZED_ACCESS,
} from '#shared/api/client.ts';
import { IDLE_DELAY_MS } from '#shared/config.ts';
import { getT } from '#shared/i18n/i18n.ts';
import { addQuery, paths } from '#shared/paths.ts';
import { onStorageChange, readStorage, removeFromStorage, writeStorage } from '#shared/storage.ts';
import { toast } from '#shared/ui/toast.tsx';
import {
  type Failure,
  nextSession,
  type Profile,
  type SessionEvent,
  type SessionState,
  type SignOutReason,
} from './model/session-machine.ts';
import { JWT_KEY, readClaims } from './model/stored-tokens.ts';
import { getStoredProfile, saveProfile, useSessionState, useStoredProfile } from './store.ts';
import {
  clearTokens,
  endProviderSession,
  getBearerToken,
  getIdToken,
  getThirdPartyToken,
  getTokenState,
  hasUnstoredTokens,
  loadGuestCredentials,
  refreshTokens,
} from './tokens.ts';

export { getSessionStatus, getUser, isSubscribed, onSignedOut, useIsLocked, useSession } from './store.ts';

/** How long signing out waits for the identity provider. */
const SIGN_OUT_TIMEOUT_MS = 4_000;

const getState = () => useSessionState.getState().state;

function dispatch(event: SessionEvent): void {
  const previous = getState();
  const state = nextSession(previous, event);
  if (state === previous) return;
  useSessionState.setState({ state });
  runEffects(state, event);
}

/** Runs the effects of a new state. A failed effect dispatches an event. */
function runEffects(state: SessionState, event: SessionEvent): void {
  if (state.status === 'refreshing') void refresh();
  if (state.status === 'loading-profile') void loadProfile();
  if (state.status === 'signing-out') void endSession(state.reason);
  if (state.status === 'signed-in') {
    if (event.type === 'profile-loaded') saveProfile(state.profile);
    else if (event.type !== 'other-tab-signed-in') void refreshProfile();
  }
  if (state.status === 'signed-out') {
    if (event.type === 'refresh-refused') signOutNotice = 'sessionEnded';
    clearSession();
    setTimeout(() => {
      if (getState().status === 'signed-out') loadGuestCredentials().catch(() => undefined);
    }, IDLE_DELAY_MS);
  }
}

let hasReportedUnstoredTokens = false;

/** Shows a notice where the browser refuses to store the tokens, once until it stores them. */
function reportUnstoredTokens(): void {
  const isUnstored = hasUnstoredTokens();
  if (isUnstored && !hasReportedUnstoredTokens) toast(getT()('session.notStored'), 'message');
  hasReportedUnstoredTokens = isUnstored;
}

function clearSession(): void {
  clearTokens();
  hasReportedUnstoredTokens = false;
  if (getStoredProfile()) saveProfile(null);
}

const toFailure = (error: unknown): Failure =>
  error instanceof ApiError && (error.code === 'network' || error.code === 'unavailable')
    ? error.code
    : 'internal';

const refresh = () =>
  refreshTokens().then(
    (isRefreshed) => dispatch({ type: isRefreshed ? 'tokens-refreshed' : 'refresh-refused' }),
    (error: unknown) => dispatch({ type: 'unreachable', failure: toFailure(error) }),
  );

/** Fetches the profile. An ID token identifies a user of the identity provider to the portal, which stores its names. */
async function fetchProfile(): Promise<Profile> {
  const idToken = getIdToken();
  if (getThirdPartyToken() || !idToken) return call(api.auth.me, {});
  const profile = await call(api.auth.signInCognito, { body: { idToken } });
  // The settings that the boot script has requested may have the names from before.
  takeEarlyResponse(API_BASE + buildPath(api.settings.findSettings));
  return profile;
}

const loadProfile = () =>
  fetchProfile().then(
    (profile) => dispatch({ type: 'profile-loaded', profile }),
    (error: unknown) => dispatch({ type: 'unreachable', failure: toFailure(error) }),
  );

/**
 * Updates the stored profile in the background. It stays as it is if the call fails or the session has changed since.
 *
 * @returns the profile that was fetched, or null
 */
export async function refreshProfile(): Promise<Profile | null> {
  const initial = getState();
  const profile = await call(api.auth.me, {}).catch(() => null);
  if (profile && getState() === initial) dispatch({ type: 'profile-loaded', profile });
  return profile;
}

/** Updates the profile at the portal, such as the e-mail address, to what the identity provider's ID token has. */
export async function updatePortalProfile(): Promise<void> {
  const idToken = getIdToken();
  if (idToken) await call(api.auth.signInCognito, { body: { idToken } });
  await refreshProfile();
}

/** Updates the e-mail address at the portal when a change of it was interrupted after the identity provider had it. */
export async function syncEmail(email: string): Promise<void> {
  // Tokens are refreshed if they have expired: the new ID token has the new address.
  if ((await getBearerToken()) === null || getThirdPartyToken() !== null) return;
  const { email: tokenEmail } = Object(readClaims(getIdToken() ?? ''));
  if (tokenEmail && tokenEmail !== email) await updatePortalProfile();
}

/** Loads an address in a new document. */
type Reload = (url: string) => void;
let reload: Reload = () => undefined;

/** `signOutFailed`: at the identity provider (AUTH-11); `sessionEnded`: the user did not request it. */
type SignOutNotice = 'signOutFailed' | 'sessionEnded';
/** Passes the notice on to the next document. */
const SIGN_OUT_NOTICE_KEY = 'sign-out-notice';
let signOutNotice: SignOutNotice | null = null;

/** Returns, once, the notice about the end of the session before; null where there is none. */
export function consumeSignOutNotice(): SignOutNotice | null {
  const notice = signOutNotice;
  signOutNotice = null;
  return notice;
}

const saveSignOutNotice = (notice: SignOutNotice) => writeStorage(SIGN_OUT_NOTICE_KEY, notice);

function readSignOutNotice(): SignOutNotice | null {
  const notice = readStorage(SIGN_OUT_NOTICE_KEY);
  return notice === 'signOutFailed' || notice === 'sessionEnded' ? notice : null;
}

/** Ends the session at the identity provider, and always on this device. */
async function endSession(reason: SignOutReason): Promise<void> {
  const platform = getStoredProfile()?.user.platform;
  const timeout = new Promise<never>((_, reject) => setTimeout(reject, SIGN_OUT_TIMEOUT_MS));
  const logoutUrl = await Promise.race([endProviderSession(), timeout]).catch(() => {
    if (reason === 'requested') saveSignOutNotice('signOutFailed');
    return null;
  });
  if (reason === 'unauthorized') saveSignOutNotice('sessionEnded');
  clearSession();
  if (reason === 'plan-ended') reload(addQuery(paths.authExternal, { ended: platform ?? 'unknown' }));
  else reload(logoutUrl ?? paths.auth);
}

function syncWithOtherTab(key: string | null): void {
  if (key !== null && key !== 'user-storage') return;
  void useStoredProfile.persist.rehydrate();
  const profile = getStoredProfile();
  dispatch(profile ? { type: 'other-tab-signed-in', profile } : { type: 'other-tab-signed-out' });
}

/**
 * Starts the session of this tab from what is stored, and follows refused API calls and other tabs. Call it once, before
 * the first render.
 *
 * @param onReload loads an address in a new document; called when a sign-out is complete
 * @returns a function that stops it
 */
export function startSession(onReload: Reload): () => void {
  reload = onReload;
  setTokenSource(async (expired) => {
    const token = await getBearerToken(expired);
    if (getState().status === 'signed-in') {
      if (token) reportUnstoredTokens();
      else dispatch({ type: 'refresh-refused' });
    }
    return token;
  });
  const controller = new AbortController();
  const { signal } = controller;
  signOutNotice = readSignOutNotice();
  removeFromStorage(SIGN_OUT_NOTICE_KEY);
  const handleUnauthorized = (event: Event) => {
    const isPlanEnded = event instanceof CustomEvent && event.detail === 'operator_plan_ended';
    dispatch({ type: 'sign-out', reason: isPlanEnded ? 'plan-ended' : 'unauthorized' });
  };
  addEventListener(UNAUTHORIZED_ACCESS, handleUnauthorized, { signal });
  const unsubscribe = onStorageChange(syncWithOtherTab);
  // A page restored from the back/forward cache may show a user who has been replaced since.
  const handlePageShow = ({ persisted }: PageTransitionEvent) => {
    dispatch({ type: 'page-shown' });
    if (persisted) syncWithOtherTab(null);
  };
  addEventListener('pageshow', handlePageShow, { signal });
  dispatch({ type: 'started', token: getTokenState(), profile: getStoredProfile() });
  return () => {
    controller.abort();
    unsubscribe();
  };
}

/** Updates the signed-in user after a change made in this tab. */
export function updateUser(user: User): void {
  const profile = getStoredProfile();
  if (profile) dispatch({ type: 'profile-loaded', profile: { ...profile, user } });
}

/** Signs out on every device, then reloads at /auth (SHELL-03, AUTH-09). */
export const signOut = (): void => dispatch({ type: 'sign-out', reason: 'requested' });

/**
 * Completes a sign-in once tokens are stored: loads the profile from the portal. Shows a notice where the browser refused
 * to store them.
 *
 * @throws {ApiError} if the portal cannot be reached; nobody is signed in then
 */
export function completeSignIn(): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (state: SessionState) => {
      if (state.status === 'signed-in') {
        reportUnstoredTokens();
        resolve();
      } else if (state.status === 'signed-out' || state.status === 'signing-out')
        reject(new ApiError((state.status === 'signed-out' && state.failure) || 'internal', 0));
      else return;
      unsubscribe();
    };
    const unsubscribe = useSessionState.subscribe(({ state }) => settle(state));
    dispatch({ type: 'tokens-received' });
    if (getState().status === 'signed-in') settle(getState());
  });
}

/** Signs in a third party's user with a token of the portal (EXT-05). */
export function signInWithToken(token: string): Promise<void> {
  writeStorage(JWT_KEY, token);
  return completeSignIn();
}
