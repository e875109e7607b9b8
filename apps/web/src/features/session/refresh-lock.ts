import { ApiError } from '#shared/api/client.ts';
import { REQUEST_TIMEOUT_MS } from '#shared/network.ts';

/**
 * Runs an action that replaces the stored tokens, in one tab at a time. A provider may treat a refresh token that is sent
 * twice as stolen, and the tokens of a refresh must not overwrite those of a sign-in that ends their session.
 *
 * @throws {ApiError} `network` if another tab still waits for the provider after 30 seconds; the action is not run
 */
export async function withRefreshLock<Result>(action: () => Promise<Result>): Promise<Result> {
  if (!navigator.locks) return action();
  const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  let isGranted = false;
  const run = () => {
    isGranted = true;
    return action();
  };
  return navigator.locks.request('session-refresh', { signal }, run).catch((error: unknown) => {
    if (isGranted) throw error;
    if (signal.aborted) throw new ApiError('network', 0);
    // Without access to storage there are no locks, and no tokens that tabs share.
    return action();
  });
}
