import { create } from 'zustand';
import { ApiError } from '#shared/api/client.ts';
import { loadConfig } from '#shared/config.ts';
import { lazyImport } from '#shared/lazy.ts';
import type { Proof, ReauthenticationStep } from './amplify/reauthentication.ts';
import { findIdentityErrorKey, ReauthenticationCancelledError } from './model/error-text.ts';

interface Request {
  confirm: () => void;
  cancel: () => void;
}

/** The request that the dialog “Confirm it is you” shows; null when there is none. */
export const useReauthenticationRequest = create<{ request: Request | null }>(() => ({ request: null }));

const isReauthenticationRequired = (error: unknown): boolean =>
  error instanceof ApiError
    ? error.code === 'reauthentication_required'
    : findIdentityErrorKey(error) === 'reauthentication_required';

/** Counts how often the user has left the pages that have the dialog. */
let departures = 0;

/** Abandons the actions begun so far: the one that waits for the dialog, and those that may still be refused. */
export function abandonActions(): void {
  departures += 1;
  useReauthenticationRequest.getState().request?.cancel();
}

let pending: Promise<void> | null = null;

/** Shows the dialog, once for all concurrent callers. */
function requestReauthentication(): Promise<void> {
  pending ??= new Promise<void>((resolve, reject) => {
    const request = { confirm: resolve, cancel: () => reject(new ReauthenticationCancelledError()) };
    useReauthenticationRequest.setState({ request });
  }).finally(() => {
    pending = null;
    useReauthenticationRequest.setState({ request: null });
  });
  return pending;
}

/**
 * Runs an action. Where it is refused because the sign-in is too old, asks the user to confirm who they are, and runs the
 * action once more.
 *
 * @throws {ReauthenticationCancelledError} if the user cancels or has left; otherwise rejects as the action does
 */
export async function withReauthentication<Result>(action: () => Promise<Result>): Promise<Result> {
  const begunAt = departures;
  try {
    return await action();
  } catch (error) {
    if (!isReauthenticationRequired(error)) throw error;
    if (departures !== begunAt) throw new ReauthenticationCancelledError();
    await requestReauthentication();
    return action();
  }
}

const importClient = lazyImport(() => import('./amplify/reauthentication.ts'));

/** Starts a sign-in by which the signed-in user confirms who they are. */
export async function startReauthentication(username: string, proof: Proof): Promise<ReauthenticationStep> {
  const [client, config] = await Promise.all([importClient(), loadConfig()]);
  return client.startReauthentication(config, username, proof);
}
