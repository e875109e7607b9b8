import { api, type CardSetup, type PaymentConfirmation, type ResponseBody } from '@escucho/contracts';
import type { Billing } from '@escucho/purchases';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { call, getErrorKey } from '#shared/api/client.ts';
import { type MessageKey, useT } from '#shared/i18n/i18n.ts';
import { lazyImport } from '#shared/lazy.ts';
import { Button } from '#shared/ui/button.tsx';
import { isStripeKey } from '../billing.ts';
import { CardStep } from './purchase/card-step.tsx';
import { PurchaseModal } from './purchase/purchase-modal.tsx';
import {
  FocusedHeading,
  getPurchaseErrorText,
  SandboxConfirmation,
  Waiting,
} from './purchase/purchase-screens.tsx';

const importStripe = lazyImport(() => import('@stripe/stripe-js/pure'));

export type PaymentResult = ResponseBody<typeof api.subscription.payRenewal>;

/** A form for another card, or the bank's confirmation of a charge. */
export type PaymentStep =
  | { name: 'card'; setup: CardSetup }
  | { name: 'confirm'; confirmation: PaymentConfirmation };
type Step = PaymentStep | { name: 'failed'; text: string };

function TitledStep({ title, children }: { title: MessageKey; children: ReactNode }) {
  const t = useT();
  return (
    <section className="grid gap-5">
      <FocusedHeading className="text-lg">{t(title)}</FocusedHeading>
      {children}
    </section>
  );
}

interface Props {
  billing: Billing;
  initialStep: PaymentStep;
  /** Called when the card was replaced, or the payment confirmed. */
  onDone: (result: PaymentResult) => void;
  onRetry: () => void;
  onClose: () => void;
}

/** Replaces a plan's card, or confirms its renewal with the bank. A new card may require confirmation, too. */
export function RenewalPayment({ billing, initialStep, onDone, onRetry, onClose }: Props) {
  const t = useT();
  const [step, setStep] = useState<Step>(initialStep);
  const [isPaying, setPaying] = useState(false);
  const [isConfirming, setConfirming] = useState(false);
  const busy = isPaying || isConfirming;
  const fail = (text: string) => setStep({ name: 'failed', text });

  const pay = async (request: () => Promise<PaymentResult>) => {
    setPaying(true);
    try {
      const result = await request();
      const { confirmation, current } = result;
      if (confirmation && step.name === 'card') setStep({ name: 'confirm', confirmation });
      else if (confirmation) fail(t('manage.notConfirmed'));
      else if (current?.billingIssueAt) fail(t('checkout.declined'));
      else onDone(result);
    } catch (error) {
      fail(t(getErrorKey(error)));
    } finally {
      setPaying(false);
    }
  };

  const screen = () => {
    switch (step.name) {
      case 'card':
        return (
          <CardStep
            billing={billing}
            card={step.setup}
            title="manage.card"
            action="manage.useCard"
            busy={busy}
            isPolling={isPaying}
            onBusy={setConfirming}
            onConfirmed={() =>
              void pay(() => call(api.subscription.replaceCard, { body: { setup: step.setup.setup } }))
            }
            onFailed={(error) => fail(getPurchaseErrorText(error, t))}
            onClose={onClose}
          />
        );
      case 'confirm': {
        const { publishableKey, clientSecret } = step.confirmation;
        // The bank has confirmed or refused; the gateway has the result.
        const onConfirmed = () => void pay(() => call(api.subscription.payRenewal, {}));
        const onFailed = () => fail(t('common.network'));
        return (
          <TitledStep title="manage.confirmPayment">
            {isStripeKey(publishableKey) ? (
              <StripeConfirmation
                confirmation={step.confirmation}
                onConfirmed={onConfirmed}
                onFailed={onFailed}
              />
            ) : (
              <SandboxConfirmation
                text="manage.bankText"
                busy={isPaying}
                onDecide={(isApproved) =>
                  billing
                    .confirmTestPayment(clientSecret, isApproved ? 'succeeded' : 'failed')
                    .then(onConfirmed, onFailed)
                }
              />
            )}
          </TitledStep>
        );
      }
      case 'failed':
        return (
          <TitledStep title="checkout.errorTitle">
            <p role="alert" className="text-muted text-pretty">
              {step.text}
            </p>
            <Button variant="solid" onClick={onRetry}>
              {t('common.retry')}
            </Button>
            <Button onClick={onClose}>{t('common.close')}</Button>
          </TitledStep>
        );
    }
  };

  return (
    <PurchaseModal
      title={t(initialStep.name === 'card' ? 'manage.card' : 'manage.confirmPayment')}
      isLocked={busy}
      onClose={onClose}
    >
      <div key={step.name} className="purchase-screen">
        {screen()}
      </div>
    </PurchaseModal>
  );
}

interface StripeProps {
  confirmation: PaymentConfirmation;
  onConfirmed: () => void;
  onFailed: () => void;
}

/** Lets the card's owner confirm a charge with the bank in Stripe's frame. */
function StripeConfirmation({ confirmation, onConfirmed, onFailed }: StripeProps) {
  const handleConfirmed = useEffectEvent(onConfirmed);
  const handleError = useEffectEvent(onFailed);
  useEffect(() => {
    let isMounted = true;
    const confirm = async () => {
      const { publishableKey, clientSecret, accountId, card } = confirmation;
      const { loadStripe } = await importStripe();
      const stripe = await loadStripe(publishableKey, { stripeAccount: accountId });
      if (!isMounted) return;
      if (!stripe) throw new Error('Stripe.js did not load.');
      await stripe.confirmCardPayment(clientSecret, { payment_method: card });
      if (isMounted) handleConfirmed();
    };
    confirm().catch(() => isMounted && handleError());
    return () => {
      isMounted = false;
    };
  }, [confirmation]);
  return <Waiting text="checkout.pleaseWait" />;
}
