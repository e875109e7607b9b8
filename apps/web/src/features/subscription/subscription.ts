import { api, type User } from '@escucho/contracts';
import { create } from 'zustand';
import { refreshProfile } from '#features/session/session.ts';
import { call } from '#shared/api/client.ts';

/** A user who can buy a plan; never an operator's user (SUB-02). */
export type Buyer = Pick<User, '_id' | 'email'>;

/** What the subscribe modal repeats, for which a subscription was missing; null while it is closed. */
const useModal = create<{ resume: (() => void) | null }>()(() => ({ resume: null }));

/**
 * Opens the subscribe modal (PLAY-04).
 *
 * @param resume called once the user has subscribed
 */
export const openSubscribeModal = (resume: () => void): void => useModal.setState({ resume });

/** Closes the subscribe modal. */
export const closeSubscribeModal = (): void => useModal.setState({ resume: null });

/** Returns what the subscribe modal calls once the user has subscribed; null while it is closed. */
export const useResume = (): (() => void) | null => useModal(({ resume }) => resume);

/** Has the portal ask the billing provider, and returns whether the user's subscription is active. */
export async function refreshSubscriptionStatus(): Promise<boolean> {
  // The profile alone may have a status that is five minutes old.
  await call(api.subscription.findSubscription, {}).catch(() => undefined);
  return (await refreshProfile())?.subscription.isActive ?? false;
}
