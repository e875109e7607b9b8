import type { User } from '@escucho/contracts';
import { create } from 'zustand';

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
