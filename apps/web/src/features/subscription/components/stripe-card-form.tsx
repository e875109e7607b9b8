import { toPurchaseFailure } from '@escucho/purchases';
import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import type { Appearance, Stripe } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import { type FormEvent, useEffect, useEffectEvent, useState } from 'react';
import { useLanguage } from '#shared/i18n/i18n.ts';
import { CardActions } from './card-actions.tsx';
import type { CardFormProps } from './card-step.tsx';
import { Waiting } from './purchase-screens.tsx';

/** Our colours for a frame that cannot see our styles. */
function appearance(): Appearance {
  const styles = getComputedStyle(document.documentElement);
  const token = (name: string) => styles.getPropertyValue(name).trim();
  return {
    theme: document.documentElement.dataset.theme === 'light' ? 'stripe' : 'night',
    variables: {
      colorPrimary: token('--accent'),
      colorBackground: token('--surface'),
      colorText: token('--ink'),
      colorTextSecondary: token('--muted'),
      colorDanger: token('--danger'),
      borderRadius: '12px',
      fontSizeBase: '16px',
    },
  };
}

/** Stripe's own card form, with its script fetched only now (BUY-06). A script that does not come is a network fault. */
export function StripeCardForm(props: CardFormProps) {
  const { card, onFailed } = props;
  const language = useLanguage();
  const [stripe, setStripe] = useState<Stripe | null>(null);
  const failed = useEffectEvent(() => onFailed(toPurchaseFailure('network')));
  useEffect(() => {
    let wanted = true;
    loadStripe(card.publishableKey, { stripeAccount: card.accountId }).then(
      (loaded) => {
        if (!wanted) return;
        if (loaded) setStripe(loaded);
        else failed();
      },
      () => wanted && failed(),
    );
    return () => {
      wanted = false;
    };
  }, [card]);
  if (!stripe) return <Waiting text="checkout.moment" />;
  const options = { clientSecret: card.clientSecret, locale: language, appearance: appearance() };
  return (
    <Elements stripe={stripe} options={options}>
      <PaymentForm {...props} />
    </Elements>
  );
}

function PaymentForm({ action, isPolling, onBusy, onConfirmed, onFailed, onClose }: CardFormProps) {
  const stripe = useStripe();
  const elements = useElements();
  const [isReady, setReady] = useState(false);
  const [isBusy, setBusy] = useState(false);

  const confirm = async () => {
    if (!stripe || !elements) return;
    const { error } = await stripe.confirmSetup({ elements, redirect: 'if_required' });
    // What is not filled in well the form says itself, beside the field.
    if (error?.type === 'validation_error') return;
    if (error) onFailed(toPurchaseFailure('payment-provider', error.message ?? null));
    else onConfirmed();
  };

  const pay = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy || isPolling) return;
    setBusy(true);
    onBusy(true);
    void confirm()
      .catch(() => onFailed(toPurchaseFailure('network')))
      .finally(() => {
        setBusy(false);
        onBusy(false);
      });
  };

  const busy = isBusy || isPolling;
  return (
    <form onSubmit={pay} className="grid gap-5">
      <PaymentElement
        onReady={() => setReady(true)}
        onLoadError={({ error }) => onFailed(toPurchaseFailure('payment-provider', error.message ?? null))}
      />
      <CardActions {...{ action, busy, isReady, isPolling, onClose }} />
    </form>
  );
}
