import { REQUEST_TIMEOUT_MS } from './network.ts';

/**
 * Runs an action in one tab at a time.
 *
 * @param name - of the Web Lock
 * @param onTimeout - runs instead where another tab has the lock for longer than a request takes: a suspended one may never
 *   release it
 */
export async function withTabLock<Result>(
  name: string,
  action: () => Promise<Result>,
  onTimeout: () => Promise<Result>,
): Promise<Result> {
  if (!navigator.locks) return action();
  const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  let isGranted = false;
  const run = () => {
    isGranted = true;
    return action();
  };
  return navigator.locks.request(name, { signal }, run).catch((error: unknown) => {
    if (isGranted) throw error;
    // Without access to storage there are no locks, and nothing that tabs share.
    return signal.aborted ? onTimeout() : action();
  });
}
