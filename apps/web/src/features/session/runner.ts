import { api, type User } from '@escucho/contracts';
import { ApiError, call, setTokenSource, unauthorizedAccess } from '#shared/api/client.ts';
import { paths } from '#shared/paths.ts';
import { onStoredElsewhere } from '#shared/storage.ts';
import {
  type Failure,
  nextSession,
  type Profile,
  type SessionEvent,
  type SessionState,
} from './model/session-machine.ts';
import { endSession } from './renewal.ts';
import { keepProfile, keptProfile, useKept, useSessionState } from './store.ts';
import {
  bearerToken,
  foreignToken,
  forgetTokens,
  hasProviderTokens,
  idToken,
  renewOnce,
  tokenState,
} from './tokens.ts';

/** Signing out waits this long, in milliseconds, for the provider's answer. */
const farewell = 4_000;

const current = () => useSessionState.getState().state;

function dispatch(event: SessionEvent): void {
  const before = current();
  const state = nextSession(before, event);
  if (state === before) return;
  useSessionState.setState({ state });
  perform(state, event);
}

/** What a new state asks to be done. Everything that fails comes back as an event. */
function perform(state: SessionState, event: SessionEvent): void {
  if (state.at === 'renewing') void renew();
  if (state.at === 'introducing') void introduce();
  if (state.at === 'leaving') void leave();
  if (state.at === 'signed-in') {
    if (event.type === 'introduced') keepProfile(state.profile);
    else if (event.type !== 'signed-in-elsewhere') void refreshProfile();
  }
  if (state.at === 'signed-out') forget();
}

function forget(): void {
  forgetTokens();
  if (keptProfile()) keepProfile(null);
}

const failureOf = (error: unknown): Failure =>
  error instanceof ApiError && (error.code === 'network' || error.code === 'unavailable')
    ? error.code
    : 'internal';

const renew = () =>
  renewOnce().then(
    (granted) => dispatch({ type: granted ? 'renewed' : 'renewal-refused' }),
    (error: unknown) => dispatch({ type: 'unreachable', failure: failureOf(error) }),
  );

/** Tells the portal who has signed in; a third party's reader it knows already. */
function fetchProfile(): Promise<Profile> {
  const token = idToken();
  return foreignToken() || !token
    ? call(api.auth.me, {})
    : call(api.auth.signInCognito, { body: { idToken: token } });
}

const introduce = () =>
  fetchProfile().then(
    (profile) => dispatch({ type: 'introduced', profile }),
    (error: unknown) => dispatch({ type: 'unreachable', failure: failureOf(error) }),
  );

/** Brings a kept profile up to date behind what is shown; without an answer, or when things have changed meanwhile, it stays. Out: the answer, or null. */
export async function refreshProfile(): Promise<Profile | null> {
  const asked = current();
  const profile = await call(api.auth.me, {}).catch(() => null);
  if (profile && current() === asked) dispatch({ type: 'introduced', profile });
  return profile;
}

/** How the browser goes to an address by loading it anew. */
type Reload = (address: string) => void;
let reload: Reload = () => undefined;

async function leave(): Promise<void> {
  const patience = new Promise<null>((resolve) => setTimeout(resolve, farewell, null));
  // A stale token cannot end the session elsewhere.
  const goodbye = hasProviderTokens() ? bearerToken().then(endSession) : Promise.resolve(null);
  const onward = await Promise.race([goodbye, patience]).catch(() => null);
  forget();
  reload(onward ?? paths.auth);
}

function heardElsewhere(key: string | null): void {
  if (key !== null && key !== 'user-storage') return;
  void useKept.persist.rehydrate();
  const profile = keptProfile();
  dispatch(profile ? { type: 'signed-in-elsewhere', profile } : { type: 'signed-out-elsewhere' });
}

/**
 * Opens the session of this tab: reads what is stored, and listens to refused calls and to other tabs.
 * Call it once, before anything is drawn. In: how to load an address anew, which is how a sign-out ends.
 * Out: stops listening.
 */
export function startSession(loadAnew: Reload): () => void {
  reload = loadAnew;
  setTokenSource(async () => {
    const token = await bearerToken();
    if (!token && current().at === 'signed-in') dispatch({ type: 'renewal-refused' });
    return token;
  });
  const heard = new AbortController();
  const { signal } = heard;
  addEventListener(unauthorizedAccess, () => dispatch({ type: 'unauthorized' }), { signal });
  const stopFollowing = onStoredElsewhere(heardElsewhere);
  // Back to a page that was left: the browser may have kept it as it was, while another reader came.
  const back = ({ persisted }: PageTransitionEvent) => {
    dispatch({ type: 'left' });
    if (persisted) heardElsewhere(null);
  };
  addEventListener('pageshow', back, { signal });
  dispatch({ type: 'opened', token: tokenState(), profile: keptProfile() });
  return () => {
    heard.abort();
    stopFollowing();
  };
}

/** The reader's own profile has changed here: it is kept and shown. */
export function userChanged(user: User): void {
  const profile = keptProfile();
  if (profile) dispatch({ type: 'introduced', profile: { ...profile, user } });
}

/** Signs out on every device, goes to /auth and reloads (SHELL-03, AUTH-09). */
export const signOut = (): void => dispatch({ type: 'sign-out-asked' });

/**
 * The provider has issued tokens: makes the portal know the reader. Resolves when they are in;
 * rejects with ApiError when the portal could not be asked (nobody is signed in then).
 */
export function enter(): Promise<void> {
  return new Promise((resolve, reject) => {
    const settled = (state: SessionState) => {
      if (state.at === 'signed-in') resolve();
      else if (state.at === 'signed-out' || state.at === 'leaving')
        reject(new ApiError((state.at === 'signed-out' && state.failure) || 'internal', 0));
      else return;
      stop();
    };
    const stop = useSessionState.subscribe(({ state }) => settled(state));
    dispatch({ type: 'tokens-received' });
    if (current().at === 'signed-in') settled(current());
  });
}
