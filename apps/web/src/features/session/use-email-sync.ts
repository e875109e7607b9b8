import { api } from '@escucho/contracts';
import { useEffect } from 'react';
import { call } from '#shared/api/client.ts';
import { getTokenEmail } from './model/account.ts';
import { refreshProfile } from './session.ts';
import { getBearerToken, getIdToken, getThirdPartyToken } from './tokens.ts';

async function syncEmail(email: string): Promise<void> {
  // Tokens are refreshed if they have expired: the new ID token has the new address.
  if ((await getBearerToken()) === null || getThirdPartyToken() !== null) return;
  const idToken = getIdToken();
  const tokenEmail = getTokenEmail(idToken);
  if (!idToken || !tokenEmail || tokenEmail === email) return;
  await call(api.auth.signInCognito, { body: { idToken } });
  await refreshProfile();
}

/** Updates the e-mail address at the portal when a change of it was interrupted after the identity provider had it. */
export function useEmailSync(email: string | null | undefined): void {
  useEffect(() => {
    // The next visit tries again.
    if (email) void syncEmail(email).catch(() => undefined);
  }, [email]);
}
