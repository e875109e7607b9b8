import type { PurchaseFailure } from '@escucho/purchases';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { type MessageKey, useT } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { Spinner } from '#shared/ui/spinner.tsx';
import { faultText, mayBePaid } from '../model/fault-words.ts';

/** Something is being got ready: the purchase, unless said otherwise. */
export function Waiting({ text = 'checkout.preparing' }: { text?: MessageKey }) {
  const t = useT();
  return (
    <p role="status" className="flex items-center justify-center gap-3 py-12 text-muted">
      <Spinner />
      {t(text)}
    </p>
  );
}

interface EndProps {
  picture: ReactNode;
  title: string;
  children: ReactNode;
}

/** How a purchase ended; the title takes the focus, so that it is read out. */
function End({ picture, title, children }: EndProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="grid justify-items-center gap-3 py-8 text-center">
      {picture}
      <h3
        ref={heading}
        tabIndex={-1}
        className="font-serif text-xl font-semibold tracking-tight outline-none"
      >
        {title}
      </h3>
      {children}
    </div>
  );
}

/** The purchase was made. */
export function PurchaseSuccess({ busy, onContinue }: { busy: boolean; onContinue: () => void }) {
  const t = useT();
  return (
    <End
      picture={<CircleCheck aria-hidden size={80} className="text-success" strokeWidth={1.25} />}
      title={t('checkout.successTitle')}
    >
      <p className="text-muted">{t('checkout.successText')}</p>
      <Button variant="solid" busy={busy} onClick={onContinue} className="mt-3">
        {t('checkout.back')}
      </Button>
    </End>
  );
}

interface ErrorProps {
  fault: PurchaseFailure;
  /** Whom to write to; null: nobody is named. */
  supportEmail: string | null;
  busy: boolean;
  onContinue: () => void;
  /** Begins anew with the same plan. */
  onRetry: () => void;
}

/** The purchase was not made: why, what to do, and whom to ask (section 8). */
export function PurchaseError({ fault, supportEmail, busy, onContinue, onRetry }: ErrorProps) {
  const t = useT();
  const isSubscribed = fault.kind === 'already-subscribed';
  return (
    <End
      picture={<CircleAlert aria-hidden size={80} className="text-danger" strokeWidth={1.25} />}
      title={t(isSubscribed ? 'checkout.alreadyTitle' : 'checkout.errorTitle')}
    >
      <p role="alert" className="text-muted text-pretty">
        {faultText(fault, t)}
      </p>
      {mayBePaid(fault) && <p className="text-sm text-muted text-pretty">{t('checkout.mayBePaid')}</p>}
      {supportEmail && (
        <p className="text-sm text-muted">
          {t('checkout.support')}{' '}
          <a href={`mailto:${supportEmail}`} className="link">
            {supportEmail}
          </a>
          .
        </p>
      )}
      <div className="mt-3 flex flex-wrap justify-center gap-3">
        {!isSubscribed && (
          <Button variant="solid" onClick={onRetry}>
            {t('common.retry')}
          </Button>
        )}
        <Button variant={isSubscribed ? 'solid' : 'soft'} busy={busy} onClick={onContinue}>
          {t('checkout.back')}
        </Button>
      </div>
    </End>
  );
}
