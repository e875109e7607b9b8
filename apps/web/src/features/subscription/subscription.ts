import type { Subscription, User } from '@escucho/contracts';
import { create } from 'zustand';

/** A user who can buy a plan; never an operator's user (SUB-02). */
export type Buyer = Pick<User, '_id' | 'email'>;

interface Store {
  subscription: Subscription | null;
  /** Repeats what was refused for want of a subscription; set while the subscribe modal is open. */
  resume: (() => void) | null;
}

const useStore = create<Store>()(() => ({ subscription: null, resume: null }));

/** Returns the user's subscription (SUB-02); null while nobody is signed in. */
export const useSubscription = (): Subscription | null => useStore((store) => store.subscription);

/**
 * Returns whether a track or article requires a subscription that the user does not have (PLAY-04).
 *
 * @param url the address of its audio; null if the server gave none
 */
export function useIsLocked(url: string | null): boolean {
  const isActive = useSubscription()?.isActive ?? false;
  return !isActive && url === null;
}

/** Returns whether the user has an active subscription, outside React. */
export const isSubscribed = (): boolean => useStore.getState().subscription?.isActive ?? false;

/** Sets the subscription that the session has loaded. */
export const setSubscription = (subscription: Subscription | null): void =>
  useStore.setState({ subscription });

/**
 * Opens the subscribe modal (PLAY-04).
 *
 * @param resume called once the user has subscribed
 */
export const openSubscribeModal = (resume: () => void): void => useStore.setState({ resume });

/** Closes the subscribe modal. */
export const closeSubscribeModal = (): void => useStore.setState({ resume: null });

/** Returns what the subscribe modal calls once the user has subscribed; null while it is closed. */
export const useResume = (): (() => void) | null => useStore((store) => store.resume);
