import { api, type OperatorLink, operatorNames, type Platform, TAG_MANAGER_PATH } from '@escucho/contracts';
import { CircleAlert } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { signInWithToken, useSession } from '#features/session/session.ts';
import { ApiError, call } from '#shared/api/client.ts';
import { useConfig } from '#shared/config.ts';
import { type MessageKey, useT } from '#shared/i18n/i18n.ts';
import { navigate } from '#shared/location.tsx';
import { paths } from '#shared/paths.ts';
import { Button, buttonClassName, WorkingStatus } from '#shared/ui/button.tsx';
import { ConfirmDialog } from '#shared/ui/dialog.tsx';
import { toast, toastError } from '#shared/ui/toast.tsx';
import { isAndroid } from '../model/link.ts';

/**
 * Loads the tag manager once (EXT-04), in a frame of an opaque origin: its scripts reach neither this page nor the session
 * in its storage. The frame remains while the app goes to other pages.
 */
function loadTagManager(): void {
  if (document.querySelector(`iframe[src="${TAG_MANAGER_PATH}"]`)) return;
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.referrerPolicy = 'no-referrer';
  frame.src = TAG_MANAGER_PATH;
  frame.hidden = true;
  document.body.append(frame);
}

/** Loads the tag manager for Entel's users where one is configured, once the token has left the address. */
function useTagManager({ platform }: OperatorLink): void {
  const config = useConfig();
  const id = config?.operators.find((operator) => operator.platform === platform)?.tagManagerId;
  useEffect(() => {
    if (platform !== 'entel' || !id) return;
    navigate(paths.authExternal, { replace: true });
    loadTagManager();
  }, [platform, id]);
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
    return <OperatorSignInError error={step.error} link={link} onRetry={startSignIn} />;
  if (step === 'signing-in')
    return <WorkingStatus>{t('operator.working', { operator: operatorNames[link.platform] })}</WorkingStatus>;
  return (
    <>
      <p className="text-muted text-pretty">
        {t('operator.linkReady', { operator: operatorNames[link.platform] })}
      </p>
      {step === 'dismissed' && (
        <Button variant="solid" onClick={startSignIn} className="mt-5 w-full">
          {t('operator.continueInBrowser')}
        </Button>
      )}
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

interface ErrorProps {
  title: string;
  /** What happened, or what the user can do. */
  text?: string;
  /** The action that is most likely to help; signing in by another method is always offered. */
  children?: ReactNode;
}

const SignInError = ({ title, text, children }: ErrorProps) => (
  <div className="grid gap-4">
    <div role="alert" className="flex gap-3 rounded-md border border-line bg-overlay px-4 py-3.5">
      <CircleAlert aria-hidden className="mt-0.5 size-5 shrink-0 text-danger" />
      <div className="grid gap-1.5 text-sm">
        <p className="font-medium text-pretty">{title}</p>
        {text && <p className="text-muted text-pretty">{text}</p>}
      </div>
    </div>
    {children}
    <Link to={paths.signIn} className={buttonClassName('ghost', 'w-full')}>
      {useT()('operator.toSignIn')}
    </Link>
  </div>
);

/** The error for a link that belongs to no operator (EXT-02). */
export const UnknownOperatorError = () => <SignInError title={useT()('operator.dataError')} />;

/** Links to an operator's subscription page, if it is configured. */
function OperatorPageLink({ platform }: { platform: Platform }) {
  const t = useT();
  const page = useConfig()?.operators.find((operator) => operator.platform === platform)?.page;
  if (!page) return null;
  return (
    <a href={page} className={buttonClassName('solid', 'w-full')}>
      {t('operator.toOperator', { operator: operatorNames[platform] })}
    </a>
  );
}

/**
 * The screen for a user whose plan has ended (EXT-02, SUB-02), at sign-in or while signed in.
 *
 * @param platform null if the operator is not known
 */
export function OperatorPlanEnded({ platform }: { platform: Platform | null }) {
  const t = useT();
  const operator = platform ? operatorNames[platform] : t('operator.yourOperator');
  return (
    <SignInError
      title={t('operator.planEnded', { operator })}
      text={t('operator.planEndedText', { operator })}
    >
      {platform && <OperatorPageLink platform={platform} />}
    </SignInError>
  );
}

/** The reason of a refused link by the portal's error code. Any other error is a failure, which another attempt may solve. */
const refusals: Partial<Record<ApiError['code'], MessageKey>> = {
  forbidden: 'operator.linkUnsigned',
  invalid_request: 'operator.linkUnsigned',
  link_expired: 'operator.linkUsed',
  subscription_required: 'operator.notSubscribed',
};

interface OperatorErrorProps {
  error: ApiError;
  link: OperatorLink;
  onRetry: () => void;
}

/** The error of a failed sign-in by link (EXT-02): the reason of a refusal, otherwise a retry. */
function OperatorSignInError({ error: { code }, link, onRetry }: OperatorErrorProps) {
  const t = useT();
  const { platform } = link;
  if (code === 'operator_plan_ended') return <OperatorPlanEnded platform={platform} />;
  const refusal = refusals[code];
  if (refusal)
    return (
      <SignInError title={t(refusal, { operator: operatorNames[platform] })}>
        <OperatorPageLink platform={platform} />
        {code === 'subscription_required' && <AccountDeletion link={link} />}
      </SignInError>
    );
  return (
    <SignInError title={t('operator.serverError')}>
      <Button variant="solid" onClick={onRetry} className="w-full">
        {t('common.retry')}
      </Button>
    </SignInError>
  );
}

/** `offer`: the dialog is closed. */
type DeletionStep = 'offer' | 'confirm' | 'deleting' | 'deleted';

const focus = (element: HTMLElement | null) => element?.focus();

/** Deletes the account of a link's subscriber, who cannot sign in without a plan (SHELL-09). */
function AccountDeletion({ link }: { link: OperatorLink }) {
  const t = useT();
  const operator = operatorNames[link.platform];
  const [step, setStep] = useState<DeletionStep>('offer');
  if (step === 'deleted')
    return (
      // The focused button disappears. A status that is inserted together with its text may not be announced.
      <p ref={focus} role="status" tabIndex={-1} className="outline-none">
        {t('operator.accountDeleted')}
      </p>
    );

  const deleteAccount = async () => {
    setStep('deleting');
    try {
      await call(api.operators.deleteAccountByLink, { body: link });
      setStep('deleted');
    } catch (error) {
      setStep('offer');
      if (error instanceof ApiError && error.code === 'not_found')
        toast(t('operator.noAccount', { operator }), 'error', 'bottom-center');
      else toastError(error);
    }
  };
  return (
    <>
      <p className="text-sm text-muted text-pretty">{t('operator.deleteAccountText')}</p>
      <Button variant="softDanger" className="w-full" onClick={() => setStep('confirm')}>
        {t('operator.deleteAccount')}
      </Button>
      {step !== 'offer' && (
        <ConfirmDialog
          title="operator.deleteAccountTitle"
          subtitle="operator.deleteAccountSubtitle"
          ok="operator.deleteAccount"
          cancel={step === 'confirm' ? 'common.cancel' : null}
          isDanger
          busy={step === 'deleting'}
          onOk={() => void deleteAccount()}
          onCancel={() => setStep((current) => (current === 'confirm' ? 'offer' : current))}
        />
      )}
    </>
  );
}
