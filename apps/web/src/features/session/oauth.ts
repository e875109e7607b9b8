import { loadConfig } from '#shared/config.ts';
import { lazyImport } from '#shared/lazy.ts';
import { readStorage, removeFromStorage, writeStorage } from '#shared/storage.ts';
import {
  createOAuthError,
  findHostedPages,
  type OAuthCallbackParams,
  type RedirectRequest,
} from './model/oauth.ts';
import { completeSignIn } from './session.ts';
import { clearPendingSignIn } from './sign-in.ts';
import { getTokenState } from './tokens.ts';

const importClient = lazyImport(() => import('./amplify/oauth.ts'));

/** The stored `returnTo` of a sign-in by redirect. */
const RETURN_KEY = 'sign-in-return-to';

async function loadHostedPages() {
  const config = await loadConfig();
  const pages = findHostedPages(config, location.origin);
  if (!pages) throw createOAuthError('There are no hosted pages.');
  return { config, pages };
}

/**
 * Redirects to Google or Facebook (AUTH-08), or continues the session if there is one already and no `prompt` asks to sign
 * in again. Rejects with the provider's error.
 *
 * @param returnTo where the user goes after signing in
 */
export async function redirectToProvider(
  request: RedirectRequest,
  returnTo: string | undefined,
): Promise<void> {
  // Signed in by another tab: what the identity client reports as UserAlreadyAuthenticatedException.
  if (!request.prompt && getTokenState() !== 'none') return completeSignIn();
  const { pages } = await loadHostedPages();
  clearPendingSignIn();
  if (returnTo) writeStorage(RETURN_KEY, returnTo);
  else removeFromStorage(RETURN_KEY);
  const { startRedirect } = await importClient();
  startRedirect(pages, request);
}

/** Reads and removes the stored `returnTo` of a sign-in by redirect. */
export function consumeReturnTo(): string | undefined {
  const returnTo = readStorage(RETURN_KEY) ?? undefined;
  removeFromStorage(RETURN_KEY);
  return returnTo;
}

/** Handles the callback of a sign-in by redirect; resolves once the tokens are stored. */
export async function handleCallback(params: OAuthCallbackParams): Promise<void> {
  try {
    // The response's description is not shown, because anyone can put text into the address.
    if ('error' in params)
      throw createOAuthError(params.error === 'access_denied' ? 'User cancelled OAuth flow.' : params.error);
    const { config, pages } = await loadHostedPages();
    const { finishRedirect } = await importClient();
    await finishRedirect(config, pages, params);
  } finally {
    clearPendingSignIn();
  }
}
