import { useEffect, useRef, useState } from 'react';
import { useT } from '#shared/i18n/i18n.ts';
import { navigate, useLocation } from '#shared/location.tsx';
import { addQuery, paths } from '#shared/paths.ts';
import { Spinner } from '#shared/ui/button.tsx';
import { toast } from '#shared/ui/toast.tsx';
import { toErrorText } from '../model/error-text.ts';
import { type OAuthCallbackParams, parseCallback } from '../model/oauth.ts';
import { consumeReturnTo, handleCallback } from '../oauth.ts';
import { completeSignIn, getSessionStatus } from '../session.ts';

interface Props {
  params: OAuthCallbackParams;
  onFailed: () => void;
}

/** Completes a sign-in by redirect (AUTH-08), or shows why it failed. */
export function OAuthCallback({ params, onFailed }: Props) {
  const t = useT();
  const { search } = useLocation();
  const [hasTokens, setHasTokens] = useState(false);

  const fail = (error: unknown) => {
    console.error('Sign-in by redirect failed', error);
    // The auth layout redirects users who are signed in, and dismisses the errors at the bottom.
    const position = getSessionStatus() === 'signed-in' ? 'top-right' : 'bottom-center';
    toast(toErrorText(t, error, 'session.redirectFailed'), 'error', position);
    onFailed();
  };

  // A code can be redeemed once.
  const isHandled = useRef(false);
  useEffect(() => {
    if (isHandled.current) return;
    isHandled.current = true;
    const returnTo = consumeReturnTo();
    handleCallback(params)
      .finally(() => navigate(addQuery(paths.signIn, { returnTo }), { replace: true }))
      .then(() => setHasTokens(true), fail);
  });

  // Only once the address has `returnTo`: the auth layout redirects there as soon as the user is signed in.
  const isAddressReady = parseCallback(search) === null;
  const isCompleted = useRef(false);
  useEffect(() => {
    if (!hasTokens || !isAddressReady || isCompleted.current) return;
    isCompleted.current = true;
    completeSignIn().catch(fail);
  });

  return (
    <p role="status" className="flex items-center gap-3 text-muted">
      <Spinner className="size-5 text-accent-text" />
      {t('session.completing')}
    </p>
  );
}
