import { api, type OperatorLink, operatorNames, type Platform } from '@escucho/contracts';
import { CircleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { signInWithToken, useSession } from '#features/session/session.ts';
import { ApiError, call } from '#shared/api/client.ts';
import { useConfig } from '#shared/config.ts';
import { type MessageKey, useT } from '#shared/i18n/i18n.ts';
import { paths } from '#shared/paths.ts';
import { Button, buttonClassName } from '#shared/ui/button.tsx';
import { ConfirmDialog } from '#shared/ui/confirm-dialog.tsx';
import { Spinner } from '#shared/ui/spinner.tsx';
import { isAndroid } from '../model/link.ts';

declare global {
  interface Window {
    dataLayer?: object[];
  }
}

const TAG_MANAGER_URL = 'https://www.googletagmanager.com/gtm.js';

/** Loads the tag manager once (EXT-04). It reads the address: that must not contain the operator's token any more. */
function loadTagManager(containerId: string): void {
  if (window.dataLayer) return;
  window.dataLayer = [{ 'gtm.start': Date.now(), event: 'gtm.js' }];
  const script = document.createElement('script');
  script.async = true;
  script.src = `${TAG_MANAGER_URL}?id=${encodeURIComponent(containerId)}`;
  document.head.append(script);
}

/** Loads the tag manager for Entel's users where one is configured, once the token has left the address. */
function useTagManager({ platform }: OperatorLink): void {
  const navigate = useNavigate();
  const config = useConfig();
  const id = config?.operators.find((operator) => operator.platform === platform)?.tagManagerId;
  useEffect(() => {
    if (platform === 'entel' && id)
      Promise.resolve(navigate(paths.authExternal, { replace: true })).then(
        () => loadTagManager(id),
        () => undefined,
      );
  }, [platform, id, navigate]);
}

/** `confirm`: the dialog is open on Android; `dismissed`: it was closed without a choice. */
type Step = 'confirm' | 'dismissed' | 'signing-in' | { error: ApiError };

/**
 * Signs in an operator's subscriber by the operator's link (EXT-03, EXT-05); on Android after a confirmation. The auth
 * layout then redirects.
 */
export function OperatorSignIn({ link }: { link: OperatorLink }) {
  const t = useT();
  const { status } = useSession();
  const [step, setStep] = useState<Step>(() => (isAndroid(navigator.userAgent) ? 'confirm' : 'signing-in'));
  const isStarted = useRef(false);
  const token = useRef<string>(null);
  useTagManager(link);

  const isReady = step === 'signing-in' && status === 'signed-out';
  useEffect(() => {
    if (!isReady || isStarted.current) return;
    isStarted.current = true;
    const signIn = async () => {
      // A link works once: another attempt continues with the token it gave.
      token.current ??= (await call(api.operators.signInThirdParties, { body: link })).accessToken;
      await signInWithToken(token.current);
    };
    signIn().catch((error: unknown) => {
      isStarted.current = false;
      setStep({ error: error instanceof ApiError ? error : new ApiError('internal', 0) });
    });
  }, [isReady, link]);

  const startSignIn = () => setStep('signing-in');
  if (typeof step === 'object')
    return <OperatorSignInError error={step.error} platform={link.platform} onRetry={startSignIn} />;
  if (step === 'signing-in')
    return (
      <p role="status" className="flex items-center gap-3 text-muted">
        <Spinner className="size-5 text-accent-text" />
        {t('operator.working', { operator: operatorNames[link.platform] })}
      </p>
    );
  return (
    <>
      <p className="text-muted text-pretty">{t('operator.openInAppText')}</p>
      <Button variant="solid" onClick={startSignIn} className="mt-5 w-full">
        {t('operator.continueInBrowser')}
      </Button>
      {step === 'confirm' && (
        <ConfirmDialog
          title="operator.openInApp"
          subtitle="operator.openInAppText"
          ok="operator.continueInBrowser"
          cancel={null}
          onOk={startSignIn}
          onCancel={() => setStep((current) => (current === 'confirm' ? 'dismissed' : current))}
        />
      )}
    </>
  );
}

const Alert = ({ text, reason }: { text: string; reason?: string }) => (
  <div role="alert" className="flex gap-3 rounded-md border border-line bg-overlay px-4 py-3.5">
    <CircleAlert aria-hidden className="mt-0.5 size-5 shrink-0 text-danger" />
    <div className="grid gap-2 text-sm">
      <p className="font-medium text-pretty">{text}</p>
      {reason && <p className="text-muted text-pretty">{reason}</p>}
    </div>
  </div>
);

const SignInLink = () => (
  <Link to={paths.signIn} className={buttonClassName('ghost', 'w-full')}>
    {useT()('operator.toSignIn')}
  </Link>
);

/** The error for a link that belongs to no operator (EXT-02). */
export function UnknownOperatorError() {
  const t = useT();
  return (
    <div className="grid gap-4">
      <Alert text={t('operator.dataError')} />
      <SignInLink />
    </div>
  );
}

/** What the user can do, by the portal's error code; any other error is worth another attempt. */
const reasons: Partial<Record<ApiError['code'], MessageKey>> = {
  forbidden: 'operator.linkUnsigned',
  invalid_request: 'operator.linkUnsigned',
  link_expired: 'operator.linkUsed',
  subscription_required: 'operator.notSubscribed',
};

interface ErrorProps {
  error: ApiError;
  platform: Platform;
  onRetry: () => void;
}

/** The error of a failed sign-in by link (EXT-02), with its reason if it is known. */
function OperatorSignInError({ error, platform, onRetry }: ErrorProps) {
  const t = useT();
  const operator = operatorNames[platform];
  const page = useConfig()?.operators.find((one) => one.platform === platform)?.page;
  const reason = reasons[error.code];
  return (
    <div className="grid gap-4">
      <Alert text={t('operator.serverError')} {...(reason && { reason: t(reason, { operator }) })} />
      {!reason && (
        <Button variant="solid" onClick={onRetry} className="w-full">
          {t('common.retry')}
        </Button>
      )}
      {reason && page && (
        <a href={page} className={buttonClassName('solid', 'w-full')}>
          {t('operator.toOperator', { operator })}
        </a>
      )}
      <SignInLink />
    </div>
  );
}
