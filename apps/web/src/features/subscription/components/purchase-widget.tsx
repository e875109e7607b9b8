import type { Billing, Package, PurchaseFailure, PurchasesErrorCode } from '@escucho/purchases';
import { useEffect, useEffectEvent, useState } from 'react';
import { createPortal } from 'react-dom';
import { useT } from '#shared/i18n/i18n.ts';
import { planName } from '../model/period-words.ts';
import { usePurchase } from '../use-purchase.ts';
import { BillingEmailForm } from './billing-email-form.tsx';
import { CardStep } from './card-step.tsx';
import { PricingPanel } from './pricing-panel.tsx';
import { PurchaseModal } from './purchase-modal.tsx';
import { PurchaseError, PurchaseSuccess, Waiting } from './purchase-screens.tsx';

interface Props {
  billing: Billing;
  pack: Package;
  /** The account's e-mail: the form begins with it. */
  email: string | null;
  /** Where the widget is mounted; over the page without one (BUY-01). */
  target: HTMLElement | null;
  /** The reader wants back, and something is still being seen to. */
  isLeaving: boolean;
  /** The purchase was made; its screen says so. */
  onSuccess: () => void;
  /** The reader is done with it: null when it was bought, else why not. */
  onFinish: (error: PurchasesErrorCode | null) => void;
}

/** The purchase widget (BUY-01 to BUY-07): one screen for each state of the purchase, the product's details beside it. */
export function PurchaseWidget({ billing, pack, email, target, isLeaving, onSuccess, onFinish }: Props) {
  const t = useT();
  const [attempt, setAttempt] = useState(1);
  const [given, setGiven] = useState<string | null>(null);
  const [isConfirming, setConfirming] = useState(false);
  const purchase = usePurchase({ billing, pack, email: given, attempt, onFinish });
  const { state, branding, happened } = purchase;
  const isPolling = state.at === 'polling-purchase-status';
  const succeeded = useEffectEvent(onSuccess);
  useEffect(() => {
    if (state.at === 'success') succeeded();
  }, [state.at]);

  const { product } = pack;
  const { base } = product.defaultOption;
  const plan = planName(base.period, product.title, t);
  const title = t('checkout.title', { plan });
  const close = () => happened({ type: 'closed' });
  const failed = (fault: PurchaseFailure) => happened({ type: 'failed', fault });
  const proceed = () => happened({ type: 'continued' });
  const isOver = state.at === 'success' || state.at === 'error';

  const screen = () => {
    switch (state.at) {
      case 'present-offer':
      case 'loading':
        return <Waiting />;
      case 'needs-auth-info':
      case 'processing-auth-info':
        return (
          <BillingEmailForm
            initial={given ?? email ?? ''}
            busy={state.at === 'processing-auth-info'}
            onSend={(address) => {
              setGiven(address);
              happened({ type: 'email-given', email: address });
            }}
            onClose={close}
          />
        );
      case 'needs-payment-info':
      case 'polling-purchase-status':
        return (
          <CardStep
            billing={billing}
            card={state.card}
            title="checkout.cardTitle"
            action="checkout.pay"
            isPolling={isPolling}
            onBusy={setConfirming}
            onConfirmed={() => happened({ type: 'card-confirmed' })}
            onFailed={failed}
            onClose={close}
          />
        );
      case 'success':
        return <PurchaseSuccess busy={isLeaving} onContinue={proceed} />;
      case 'error':
        return (
          <PurchaseError
            fault={state.fault}
            supportEmail={branding?.supportEmail ?? null}
            busy={isLeaving}
            onContinue={proceed}
            onRetry={() => setAttempt(attempt + 1)}
          />
        );
    }
  };

  const content = (
    <div className="purchase">
      {!isOver && <PricingPanel pack={pack} branding={branding} isSandbox={billing.isSandbox} />}
      <div className="purchase-screen">{screen()}</div>
    </div>
  );
  // In a page it says above itself what is bought, and then what the reader has.
  if (target)
    return createPortal(
      <>
        <h2 className="font-serif text-lg font-semibold">{state.at === 'success' ? plan : title}</h2>
        {content}
      </>,
      target,
    );
  return (
    <PurchaseModal title={title} isHeld={isPolling || isConfirming} onClose={close}>
      {content}
    </PurchaseModal>
  );
}
