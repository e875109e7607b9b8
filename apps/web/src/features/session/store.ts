import { api, type Subscription, type User } from '@escucho/contracts';
import { create } from 'zustand';
import { useShallow } from 'zustand/shallow';
import { persisted } from '#shared/storage.ts';
import type { Profile, SessionState } from './model/session-machine.ts';

interface Kept {
  user: User | null;
  subscription: Subscription | null;
}

const nobody: Kept = { user: null, subscription: null };

/** user-storage: who was last known to be signed in, so that a reload shows the app at once (section 3). */
export const useKept = create<Kept>()(
  persisted(
    {
      name: 'user-storage',
      version: 1,
      keep: ({ user, subscription }) => ({ user, subscription }),
      read: (stored) => api.auth.me.response.safeParse(stored).data ?? nobody,
    },
    (): Kept => nobody,
  ),
);

/** The kept profile, or null. */
export function keptProfile(): Profile | null {
  const { user, subscription } = useKept.getState();
  return user && subscription ? { user, subscription } : null;
}

/** Keeps a profile, or forgets it. */
export function keepProfile(profile: Profile | null): void {
  useKept.setState(profile ?? nobody);
}

/** Where the session stands in this tab; changed by the runner alone. */
export const useSessionState = create<{ state: SessionState }>(() => ({ state: { at: 'starting' } }));

/** The session as the app sees it. */
export interface SessionView extends Kept {
  status: 'loading' | 'signed-out' | 'signed-in';
}

const profileOf = (state: SessionState): Profile | null =>
  state.at === 'signed-in' || state.at === 'renewing' ? state.profile : null;

// A known reader whose tokens are being renewed is shown in: their calls wait for the renewal.
function viewOf(state: SessionState): SessionView {
  const profile = profileOf(state);
  if (profile) return { status: 'signed-in', ...profile };
  return { status: state.at === 'signed-out' ? 'signed-out' : 'loading', ...nobody };
}

/** Who is signed in: `loading` while that is being found out, or while they are leaving. */
export const useSession = (): SessionView => useSessionState(useShallow(({ state }) => viewOf(state)));

/** The same outside React, as far as it matters to the router. */
export const sessionStatus = (): SessionView['status'] => viewOf(useSessionState.getState().state).status;

/** Calls back whenever a reader's session has ended in this tab, whatever ended it or whoever came instead. Out: stops listening. */
export function onSignedOut(listener: () => void): () => void {
  return useSessionState.subscribe(({ state }, before) => {
    const was = profileOf(before.state)?.user._id;
    if (was !== undefined && was !== profileOf(state)?.user._id) listener();
  });
}
