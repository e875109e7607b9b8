import type { PaymentConfirmation as Confirmation } from '@escucho/contracts';
import type { Billing } from '@escucho/purchases';
import { useEffect, useEffectEvent } from 'react';
import { isStripeKey } from '#features/subscription/billing.ts';
import { type MessageKey, useT } from '#shared/i18n/i18n.ts';
import { lazyImport } from '#shared/lazy.ts';
import { Button } from '#shared/ui/button.tsx';
import { Waiting } from './purchase-screens.tsx';

const importStripe = lazyImport(() => import('@stripe/stripe-js/pure'));

interface Props {
  billing: Billing;
  confirmation: Confirmation;
  busy: boolean;
  /** Called when the bank has confirmed or refused; the gateway has the result. */
  onConfirmed: () => void;
  onFailed: (error: unknown) => void;
}

/** Lets the card's owner confirm a charge with the bank, in Stripe's frame or in the sandbox's form. */
export function PaymentConfirmation({ billing, confirmation, busy, onConfirmed, onFailed }: Props) {
  const { publishableKey, clientSecret } = confirmation;
  if (isStripeKey(publishableKey))
    return <StripeConfirmation confirmation={confirmation} onConfirmed={onConfirmed} onFailed={onFailed} />;
  const confirm = (isApproved: boolean) =>
    billing.confirmTestPayment(clientSecret, isApproved ? 'succeeded' : 'failed').then(onConfirmed, onFailed);
  return <SandboxConfirmation text="manage.bankText" busy={busy} onDecide={confirm} />;
}

type StripeProps = Pick<Props, 'confirmation' | 'onConfirmed' | 'onFailed'>;

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
    confirm().catch((error: unknown) => isMounted && handleError(error));
    return () => {
      isMounted = false;
    };
  }, [confirmation]);
  return <Waiting text="checkout.pleaseWait" />;
}

interface SandboxConfirmationProps {
  text: MessageKey;
  busy: boolean;
  onDecide: (isApproved: boolean) => Promise<void>;
}

/** The bank's confirmation in the embedded sandbox. */
export function SandboxConfirmation({ text, busy, onDecide }: SandboxConfirmationProps) {
  const t = useT();
  return (
    <fieldset className="grid gap-5 rounded-lg border border-line bg-overlay px-4 py-3">
      <legend className="sr-only">{t('checkout.bankTitle')}</legend>
      <p aria-hidden className="font-semibold">
        {t('checkout.bankTitle')}
      </p>
      <p className="text-sm text-muted">{t(text)}</p>
      <div className="flex flex-wrap gap-3">
        <Button variant="solid" busy={busy} onClick={() => void onDecide(true)}>
          {t('checkout.approve')}
        </Button>
        <Button disabled={busy} onClick={() => void onDecide(false)}>
          {t('checkout.refuse')}
        </Button>
      </div>
    </fieldset>
  );
}
