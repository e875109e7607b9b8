import { api, type OperatorLink, operatorNames } from '@escucho/contracts';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { signInWithToken, useSession } from '#features/session/session.ts';
import { ApiError, call } from '#shared/api/client.ts';
import { useConfig } from '#shared/config.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { paths } from '#shared/paths.ts';
import { Button } from '#shared/ui/button.tsx';
import { ConfirmDialog } from '#shared/ui/confirm-dialog.tsx';
import { Spinner } from '#shared/ui/spinner.tsx';
import { isAndroid } from '../model/link.ts';
import { loadTagManager } from '../tag-manager.ts';
import { DoorFailure } from './door-failure.tsx';

/** `asking`: an Android browser waits for a choice; `waiting`: the choice was put off; `failed`: with what the portal threw. */
type Step = 'asking' | 'waiting' | 'working' | { failed: ApiError };

/** For Entel's readers the tag manager is loaded, if there is a container; the address is cleared of the token first. */
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

/**
 * Takes an operator's subscriber in by the operator's link (EXT-03, EXT-05): at once, on Android after asking. In: what
 * the link holds. Once in, the auth layout leads on.
 */
export function OperatorDoor({ link }: { link: OperatorLink }) {
  const t = useT();
  const { status } = useSession();
  const [step, setStep] = useState<Step>(() => (isAndroid(navigator.userAgent) ? 'asking' : 'working'));
  const begun = useRef(false);
  const token = useRef<string>(null);
  useTagManager(link);

  const isReady = step === 'working' && status === 'signed-out';
  useEffect(() => {
    // A link works once.
    if (!isReady || begun.current) return;
    begun.current = true;
    const signIn = async () => {
      // The link is used up once there is a token: a second try goes on with that.
      token.current ??= (await call(api.operators.signInThirdParties, { body: link })).accessToken;
      await signInWithToken(token.current);
    };
    signIn().catch((error: unknown) => {
      begun.current = false;
      setStep({ failed: error instanceof ApiError ? error : new ApiError('internal', 0) });
    });
  }, [isReady, link]);

  const go = () => setStep('working');
  if (typeof step === 'object')
    return <DoorFailure error={step.failed} platform={link.platform} onRetry={go} />;
  if (step === 'working')
    return (
      <p role="status" className="flex items-center gap-3 text-muted">
        <Spinner className="size-5 text-accent-text" />
        {t('operator.working', { operator: operatorNames[link.platform] })}
      </p>
    );
  return (
    <>
      <p className="text-muted text-pretty">{t('operator.openInAppText')}</p>
      <Button variant="solid" onClick={go} className="mt-5 w-full">
        {t('operator.continueInBrowser')}
      </Button>
      {step === 'asking' && (
        <ConfirmDialog
          title="operator.openInApp"
          subtitle="operator.openInAppText"
          ok="operator.continueInBrowser"
          cancel={null}
          onOk={go}
          onCancel={() => setStep((now) => (now === 'asking' ? 'waiting' : now))}
        />
      )}
    </>
  );
}
