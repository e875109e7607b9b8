import { operatorNames, type Platform, platforms } from '@escucho/contracts';
import { KeyRound } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useConfig } from '#shared/config.ts';
import { useWindowEvent } from '#shared/document.ts';
import { useLanguage, useT } from '#shared/i18n/i18n.ts';
import { navigate, useLocation, useQueryParams } from '#shared/location.tsx';
import { addQuery, paths } from '#shared/paths.ts';
import { Button, WorkingStatus } from '#shared/ui/button.tsx';
import { toast } from '#shared/ui/toast.tsx';
import { toErrorText } from '../model/error-text.ts';
import {
  findHostedPages,
  type OAuthCallbackParams,
  type Provider,
  parseCallback,
  providers,
} from '../model/oauth.ts';
import { consumeReturnTo, handleCallback, redirectToProvider } from '../oauth.ts';
import { completeSignIn, getSessionStatus } from '../session.ts';
import { offerPasskeys, signInWithPasskey } from '../sign-in.ts';
import { toastAccountError } from './form-fields.tsx';
import facebook from './marks/facebook.svg';
import google from './marks/google.svg';

/** Sign-in with a passkey: by a button, and in the autofill of the e-mail field where the browser has it. */
export function PasskeySignIn({ isAvailable }: { isAvailable: boolean }) {
  const t = useT();
  const [busy, setBusy] = useState(false);

  // A page has one request for a passkey at a time: the button's ends the autofill's, which starts again after a failure.
  // What fails before the user selects a passkey would fail again at once, and is not of something that the user did.
  useEffect(() => {
    if (busy || !isAvailable) return;
    const controller = new AbortController();
    const offer = () => {
      let isSelected = false;
      offerPasskeys(controller.signal, () => {
        isSelected = true;
      })
        .then((hasTokens) => (hasTokens ? completeSignIn() : undefined))
        .catch((error: unknown) => {
          if (!isSelected) return;
          toastAccountError(error, null, 'session.signInFailed');
          offer();
        });
    };
    offer();
    return () => controller.abort();
  }, [busy, isAvailable]);

  const signIn = () => {
    setBusy(true);
    signInWithPasskey()
      .then(completeSignIn)
      .catch((error: unknown) => {
        toastAccountError(error, null, 'session.signInFailed');
        setBusy(false);
      });
  };

  return (
    <Button busy={busy} disabled={!isAvailable} onClick={signIn} className="mt-4 w-full px-4">
      <KeyRound aria-hidden className="size-5" />
      {t('session.withPasskey')}
    </Button>
  );
}

/** The sign-in methods beside e-mail and password (AUTH-01). */
export function OtherSignInMethods() {
  const t = useT();
  return (
    <div className="mt-6 grid gap-5">
      <p className="flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {t('session.orWith')}
      </p>
      <SocialSignIn />
      <OperatorLinks />
    </div>
  );
}

const buttons = {
  Facebook: { label: 'session.withFacebook', mark: facebook },
  Google: { label: 'session.withGoogle', mark: google },
} as const;

/** Sign-in by Facebook and Google (AUTH-08); nothing where the identity provider has no hosted pages. */
function SocialSignIn() {
  const t = useT();
  const lang = useLanguage();
  const [query] = useQueryParams();
  const config = useConfig();
  const [pending, setPending] = useState<Provider | null>(null);

  // The browser's back button may restore the page as it was when it redirected.
  useWindowEvent('pageshow', () => setPending(null));

  const redirectTo = (provider: Provider) => {
    setPending(provider);
    redirectToProvider({ provider, lang }, query.get('returnTo') ?? undefined).catch((error: unknown) => {
      console.error('Sign-in by redirect failed', error);
      setPending(null);
      toastAccountError(error, null, 'session.redirectFailed');
    });
  };

  if (config && !findHostedPages(config, location.origin)) return null;
  const offered = config?.identity.oauth?.providers ?? providers;
  if (offered.length === 0) return null;
  return (
    <div className="grid gap-2.5 sm:grid-cols-2">
      {offered.map((name) => (
        <Button
          key={name}
          aria-label={t(buttons[name].label)}
          busy={pending === name}
          disabled={!config || (pending !== null && pending !== name)}
          onClick={() => redirectTo(name)}
        >
          <img src={buttons[name].mark} alt="" className="size-5" />
          {name}
        </Button>
      ))}
    </div>
  );
}

interface OAuthCallbackProps {
  params: OAuthCallbackParams;
  onFailed: () => void;
}

/** Completes a sign-in by redirect (AUTH-08), or shows why it failed. */
export function OAuthCallback({ params, onFailed }: OAuthCallbackProps) {
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
  const handle = useEffectEvent(() => {
    const returnTo = consumeReturnTo();
    handleCallback(params)
      .finally(() => navigate(addQuery(paths.signIn, { returnTo }), { replace: true }))
      .then(() => setHasTokens(true), fail);
  });
  useEffect(() => handle(), []);

  // Only once the address has `returnTo`: the auth layout redirects there as soon as the user is signed in.
  const canComplete = hasTokens && parseCallback(search) === null;
  const complete = useEffectEvent(() => void completeSignIn().catch(fail));
  useEffect(() => {
    if (canComplete) complete();
  }, [canComplete]);

  return <WorkingStatus>{t('session.completing')}</WorkingStatus>;
}

/** Links to the operators' subscription pages (AUTH-01); operators that are not configured are listed by name. */
function OperatorLinks() {
  const t = useT();
  const operators = useConfig()?.operators;
  const getPage = (name: Platform) => operators?.find(({ platform }) => platform === name)?.page;
  // All of them until the configuration is loaded.
  const available = platforms.filter((platform) => !operators || getPage(platform));
  const missing = platforms.filter((platform) => !available.includes(platform));
  return (
    <fieldset>
      <legend className="mb-2.5 w-full text-center text-sm text-muted">{t('session.operators')}</legend>
      <div className="flex flex-wrap gap-2.5 empty:hidden">
        {available.map((platform) => {
          const page = getPage(platform);
          const operator = operatorNames[platform];
          return (
            <Button
              key={platform}
              aria-label={t('session.withOperator', { operator })}
              disabled={page === undefined}
              onClick={() => page !== undefined && location.assign(page)}
              className="grow basis-2/5 border border-line bg-transparent px-2 sm:basis-0"
            >
              {operator}
            </Button>
          );
        })}
      </div>
      {missing.length > 0 && (
        <p className="mt-2.5 text-center text-xs text-muted">
          {t('session.operatorsNotConfigured', {
            names: missing.map((platform) => operatorNames[platform]).join(', '),
          })}
        </p>
      )}
    </fieldset>
  );
}
