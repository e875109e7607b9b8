import type { Subscription } from '@escucho/contracts';
import { create } from 'zustand';

interface Store {
  subscription: Subscription | null;
  /** The subscribe modal is open; `resume` does what was refused. */
  asked: { resume: () => void } | null;
}

const useStore = create<Store>()(() => ({ subscription: null, asked: null }));

/** What the reader's subscription allows now (SUB-02); null while nobody is signed in. */
export const useSubscription = (): Subscription | null => useStore((store) => store.subscription);

/** Whether something waits for a subscription (PLAY-04). In: its audio's address; null where the server gave none. */
export function useIsLocked(address: string | null): boolean {
  const isOpen = useSubscription()?.isActive ?? false;
  return !isOpen && address === null;
}

/** Whether the reader is a subscriber at this moment, outside React. */
export const isSubscribed = (): boolean => useStore.getState().subscription?.isActive ?? false;

/** The session hands in what it was told. */
export const setSubscription = (subscription: Subscription | null): void =>
  useStore.setState({ subscription });

/** Opens the subscribe modal (PLAY-04). In: what is to be done once the reader has subscribed. */
export const openSubscribe = (resume: () => void): void => useStore.setState({ asked: { resume } });

/** Closes it. */
export const closeSubscribe = (): void => useStore.setState({ asked: null });

/** What the subscribe modal was opened for; null while it is closed. */
export const useAsked = (): Store['asked'] => useStore((store) => store.asked);
