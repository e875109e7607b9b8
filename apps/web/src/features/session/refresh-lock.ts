import { ApiError } from '#shared/api/client.ts';
import { withTabLock } from '#shared/tab-lock.ts';

/**
 * Runs an action that replaces the stored tokens, in one tab at a time. A provider may treat a refresh token that is sent
 * twice as stolen, and the tokens of a refresh must not overwrite those of a sign-in that ends their session.
 *
 * @throws {ApiError} `network` if another tab still waits for the provider after 30 seconds; the action is not run
 */
export const withRefreshLock = <Result>(action: () => Promise<Result>): Promise<Result> =>
  withTabLock('session-refresh', action, async () => {
    throw new ApiError('network', 0);
  });
