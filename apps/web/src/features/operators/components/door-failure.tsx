import { operatorNames, type Platform } from '@escucho/contracts';
import { CircleAlert } from 'lucide-react';
import { Link } from 'react-router';
import type { ApiError } from '#shared/api/client.ts';
import { useConfig } from '#shared/config.ts';
import { type MessageKey, useT } from '#shared/i18n/i18n.ts';
import { paths } from '#shared/paths.ts';
import { Button, buttonClassName } from '#shared/ui/button.tsx';

/** What the reader can do about it, by the portal's code; everything else may pass by itself. */
const reasons: Partial<Record<ApiError['code'], MessageKey>> = {
  forbidden: 'operator.unsigned',
  invalid_request: 'operator.unsigned',
  link_expired: 'operator.used',
  subscription_required: 'operator.unsubscribed',
};

/** An alert of the operators' door (EXT-02). */
const Alert = ({ text, reason }: { text: string; reason?: string }) => (
  <div role="alert" className="flex gap-3 rounded-md border border-line bg-overlay px-4 py-3.5">
    <CircleAlert aria-hidden className="mt-0.5 size-5 shrink-0 text-danger" />
    <div className="grid gap-2 text-sm">
      <p className="font-medium text-pretty">{text}</p>
      {reason && <p className="text-muted text-pretty">{reason}</p>}
    </div>
  </div>
);

const ToSignIn = () => (
  <Link to={paths.signIn} className={buttonClassName('ghost', 'w-full')}>
    {useT()('operator.toSignIn')}
  </Link>
);

/** No operator could be told from the link. */
export function UnknownDoor() {
  const t = useT();
  return (
    <div className="grid gap-4">
      <Alert text={t('operator.dataError')} />
      <ToSignIn />
    </div>
  );
}

/** The operator's subscriber did not come in: what happened, why where it is known, and what to do. */
export function DoorFailure({
  error,
  platform,
  onRetry,
}: {
  error: ApiError;
  platform: Platform;
  onRetry: () => void;
}) {
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
      <ToSignIn />
    </div>
  );
}
