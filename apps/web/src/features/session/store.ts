import { api, type Subscription, type User } from '@escucho/contracts';
import { create } from 'zustand';
import { useShallow } from 'zustand/shallow';
import { createPersistedStore } from '#shared/storage.ts';
import type { Profile, SessionState } from './model/session-machine.ts';

interface StoredProfile {
  user: User | null;
  subscription: Subscription | null;
}

const noProfile: StoredProfile = { user: null, subscription: null };

/** The store `user-storage`: the profile of the last signed-in user, so that a reload shows the app at once (section 3). */
export const useStoredProfile = createPersistedStore<StoredProfile>({
  name: 'user-storage',
  version: 1,
  initial: noProfile,
  parse: (stored) => api.auth.me.response.safeParse(stored).data ?? noProfile,
});

/** Returns the stored profile, or null. */
export function getStoredProfile(): Profile | null {
  const { user, subscription } = useStoredProfile.getState();
  return user && subscription ? { user, subscription } : null;
}

/** Stores a profile; null removes the stored one. */
export function saveProfile(profile: Profile | null): void {
  useStoredProfile.setState(profile ?? noProfile);
}

/** The state of the session in this tab. Only the runner changes it. */
export const useSessionState = create<{ state: SessionState }>(() => ({ state: { status: 'starting' } }));

/** The session as components see it; `loading` also while signing out. */
export interface SessionView extends StoredProfile {
  status: 'loading' | 'signed-out' | 'signed-in';
}

const getProfile = (state: SessionState): Profile | null =>
  state.status === 'signed-in' || state.status === 'refreshing' ? state.profile : null;

// A known user whose tokens are being refreshed counts as signed in: API calls wait for the refresh.
function toView(state: SessionState): SessionView {
  const profile = getProfile(state);
  if (profile) return { status: 'signed-in', ...profile };
  return { status: state.status === 'signed-out' ? 'signed-out' : 'loading', ...noProfile };
}

/** Returns the session's status with the signed-in user and subscription. */
export const useSession = (): SessionView => useSessionState(useShallow(({ state }) => toView(state)));

/** Returns whether the signed-in user has an active subscription (SUB-02), outside React. */
export const isSubscribed = (): boolean =>
  getProfile(useSessionState.getState().state)?.subscription.isActive ?? false;

/**
 * Returns whether a track or article requires a subscription that the user does not have (PLAY-04).
 *
 * @param url the address of its audio; null if the server gave none
 */
export const useIsLocked = (url: string | null): boolean =>
  useSessionState(({ state }) => url === null && !getProfile(state)?.subscription.isActive);

/** Returns the signed-in user outside React, or null. */
export const getUser = (): User | null => toView(useSessionState.getState().state).user;

/** Returns the session's status outside React. */
export const getSessionStatus = (): SessionView['status'] => toView(useSessionState.getState().state).status;

/**
 * Calls the listener when the user of this tab is signed out or replaced by another one.
 *
 * @returns a function that unsubscribes
 */
export function onSignedOut(listener: () => void): () => void {
  return useSessionState.subscribe(({ state }, previous) => {
    const previousId = getProfile(previous.state)?.user._id;
    if (previousId !== undefined && previousId !== getProfile(state)?.user._id) listener();
  });
}
