import type { api, ResponseBody } from '@escucho/contracts';

export type Profile = ResponseBody<typeof api.auth.me>;

/** Why a sign-in ended without a session; an error code with a message. */
export type Failure = 'network' | 'unavailable' | 'internal';

/** Why a session is being ended; `plan-ended`: the mobile operator no longer confirms the user's plan. */
export type SignOutReason = 'requested' | 'unauthorized' | 'plan-ended';

/**
 * The states of the sign-in session.
 * `refreshing`: there are expired tokens with a refresh token; `loading-profile`: the tokens are valid, and the profile
 * is being loaded; `signing-out`: the session is being ended on every device, then the page reloads.
 */
export type SessionState =
  | { status: 'starting' }
  | { status: 'refreshing'; profile: Profile | null }
  | { status: 'loading-profile' }
  | { status: 'signed-in'; profile: Profile }
  | { status: 'signing-out'; reason: SignOutReason }
  | { status: 'signed-out'; failure: Failure | null };

export type SessionEvent =
  | { type: 'started'; token: 'none' | 'valid' | 'stale'; profile: Profile | null }
  | { type: 'tokens-refreshed' }
  | { type: 'refresh-refused' }
  | { type: 'unreachable'; failure: Failure }
  | { type: 'tokens-received' }
  | { type: 'profile-loaded'; profile: Profile }
  | { type: 'sign-out'; reason: SignOutReason }
  | { type: 'page-shown' }
  | { type: 'other-tab-signed-in'; profile: Profile }
  | { type: 'other-tab-signed-out' };

const signedOut: SessionState = { status: 'signed-out', failure: null };

const withValidTokens = (profile: Profile | null): SessionState =>
  profile ? { status: 'signed-in', profile } : { status: 'loading-profile' };

function start(event: Extract<SessionEvent, { type: 'started' }>): SessionState {
  if (event.token === 'none') return signedOut;
  return event.token === 'valid'
    ? withValidTokens(event.profile)
    : { status: 'refreshing', profile: event.profile };
}

/** Without a response a known user stays signed in with the stored data; an unknown one has to sign in again. */
function handleUnreachable(state: SessionState, failure: Failure): SessionState {
  if (state.status === 'refreshing' && state.profile) return withValidTokens(state.profile);
  return state.status === 'refreshing' || state.status === 'loading-profile'
    ? { status: 'signed-out', failure }
    : state;
}

/**
 * Returns the session's next state (AUTH-09, AUTH-10); the same object if nothing changes. A session that is ending or has
 * ended cannot be ended again.
 */
export function nextSession(state: SessionState, event: SessionEvent): SessionState {
  if (event.type === 'other-tab-signed-out') return state.status === 'signed-out' ? state : signedOut;
  if (state.status === 'signing-out') return event.type === 'page-shown' ? signedOut : state;
  switch (event.type) {
    case 'started':
      return state.status === 'starting' ? start(event) : state;
    case 'tokens-refreshed':
      return state.status === 'refreshing' ? withValidTokens(state.profile) : state;
    case 'refresh-refused':
      return state.status === 'signed-out' ? state : signedOut;
    case 'unreachable':
      return handleUnreachable(state, event.failure);
    case 'tokens-received':
      return state.status === 'signed-out' ? { status: 'loading-profile' } : state;
    case 'profile-loaded':
      return state.status === 'loading-profile' || state.status === 'signed-in'
        ? { status: 'signed-in', profile: event.profile }
        : state;
    case 'other-tab-signed-in':
      return state.status === 'signed-out' || state.status === 'signed-in'
        ? { status: 'signed-in', profile: event.profile }
        : state;
    case 'sign-out':
      return state.status === 'signed-out' ? state : { status: 'signing-out', reason: event.reason };
    case 'page-shown':
      return state;
  }
}
