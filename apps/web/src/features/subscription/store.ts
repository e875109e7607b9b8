import type { Subscription } from '@escucho/contracts';
import { create } from 'zustand';

interface Store {
  subscription: Subscription | null;
  /** The subscribe modal is open. */
  isAsking: boolean;
}

const useStore = create<Store>()(() => ({ subscription: null, isAsking: false }));

/** What the reader's subscription allows now (SUB-02); null while nobody is signed in. */
export const useSubscription = (): Subscription | null => useStore((store) => store.subscription);

/** Whether the reader is a subscriber at this moment, outside React. */
export const isSubscribed = (): boolean => useStore.getState().subscription?.isActive ?? false;

/** The session hands in what it was told. */
export const setSubscription = (subscription: Subscription | null): void =>
  useStore.setState({ subscription });

/** Opens the subscribe modal (PLAY-04). */
export const openSubscribe = (): void => useStore.setState({ isAsking: true });

/** Closes it. */
export const closeSubscribe = (): void => useStore.setState({ isAsking: false });

/** Whether the subscribe modal is open. */
export const useIsAsking = (): boolean => useStore((store) => store.isAsking);
