import type { Subscription, User } from '@escucho/contracts';

export interface Profile {
  user: User;
  subscription: Subscription;
}

/** Why nobody is signed in although somebody tried: a code that has words. */
export type Failure = 'network' | 'unavailable' | 'internal';

/**
 * Where the sign-in session stands.
 * `renewing`: tokens are kept but stale; `introducing`: tokens are good, the portal is being told who this is;
 * `leaving`: signing out everywhere, the page reloads when that is done.
 */
export type SessionState =
  | { at: 'starting' }
  | { at: 'renewing'; profile: Profile | null }
  | { at: 'introducing' }
  | { at: 'signed-in'; profile: Profile }
  | { at: 'leaving' }
  | { at: 'signed-out'; failure: Failure | null };

export type SessionEvent =
  | { type: 'opened'; token: 'none' | 'valid' | 'stale'; profile: Profile | null }
  | { type: 'renewed' }
  | { type: 'renewal-refused' }
  | { type: 'unreachable'; failure: Failure }
  | { type: 'tokens-received' }
  | { type: 'introduced'; profile: Profile }
  | { type: 'sign-out-asked' }
  | { type: 'unauthorized' }
  | { type: 'left' }
  | { type: 'signed-in-elsewhere'; profile: Profile }
  | { type: 'signed-out-elsewhere' };

const signedOut: SessionState = { at: 'signed-out', failure: null };

const known = (profile: Profile | null): SessionState =>
  profile ? { at: 'signed-in', profile } : { at: 'introducing' };

function opened(event: Extract<SessionEvent, { type: 'opened' }>): SessionState {
  if (event.token === 'none') return signedOut;
  return event.token === 'valid' ? known(event.profile) : { at: 'renewing', profile: event.profile };
}

/** No answer came: who was known stays in with what the browser has; anyone else has to sign in again. */
function unreachable(state: SessionState, failure: Failure): SessionState {
  if (state.at === 'renewing' && state.profile) return known(state.profile);
  return state.at === 'renewing' || state.at === 'introducing' ? { at: 'signed-out', failure } : state;
}

/**
 * The session's next state (AUTH-09, AUTH-10). In: where it stands and what happened. Out: where it stands then;
 * the very same object when nothing changes. Whoever is leaving, or out already, cannot be thrown out again.
 */
export function nextSession(state: SessionState, event: SessionEvent): SessionState {
  if (event.type === 'signed-out-elsewhere') return state.at === 'signed-out' ? state : signedOut;
  if (state.at === 'leaving') return event.type === 'left' ? signedOut : state;
  switch (event.type) {
    case 'opened':
      return state.at === 'starting' ? opened(event) : state;
    case 'renewed':
      return state.at === 'renewing' ? known(state.profile) : state;
    case 'renewal-refused':
      return state.at === 'signed-out' ? state : signedOut;
    case 'unreachable':
      return unreachable(state, event.failure);
    case 'tokens-received':
      return state.at === 'signed-out' ? { at: 'introducing' } : state;
    case 'introduced':
      return state.at === 'introducing' || state.at === 'signed-in'
        ? { at: 'signed-in', profile: event.profile }
        : state;
    case 'signed-in-elsewhere':
      return state.at === 'signed-out' || state.at === 'signed-in'
        ? { at: 'signed-in', profile: event.profile }
        : state;
    case 'sign-out-asked':
    case 'unauthorized':
      return state.at === 'signed-out' ? state : { at: 'leaving' };
    case 'left':
      return state;
  }
}
