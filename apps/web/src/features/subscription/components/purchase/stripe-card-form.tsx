import { toPurchaseFailure } from '@escucho/purchases';
import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import type { Appearance, Stripe } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import { type SubmitEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { useLanguage } from '#shared/i18n/i18n.ts';
import { CardActions, type CardFormProps, Waiting } from './purchase-screens.tsx';

/** Returns the app's colors for Stripe's frame, which does not inherit styles. */
function getAppearance(): Appearance {
  const styles = getComputedStyle(document.documentElement);
  const getToken = (name: string) => styles.getPropertyValue(name).trim();
  return {
    theme: document.documentElement.dataset.theme === 'light' ? 'stripe' : 'night',
    variables: {
      colorPrimary: getToken('--accent'),
      colorBackground: getToken('--surface'),
      colorText: getToken('--ink'),
      colorTextSecondary: getToken('--muted'),
      colorDanger: getToken('--danger'),
      borderRadius: '12px',
      fontSizeBase: '16px',
    },
  };
}

/** Stripe's card form, whose script loads on demand (BUY-06). A script that does not load is a network error. */
export function StripeCardForm(props: CardFormProps) {
  const { card, onFailed } = props;
  const language = useLanguage();
  const [stripe, setStripe] = useState<Stripe | null>(null);
  const handleError = useEffectEvent(() => onFailed(toPurchaseFailure('network')));
  useEffect(() => {
    let isMounted = true;
    loadStripe(card.publishableKey, { stripeAccount: card.accountId }).then(
      (loaded) => {
        if (!isMounted) return;
        if (loaded) setStripe(loaded);
        else handleError();
      },
      () => isMounted && handleError(),
    );
    return () => {
      isMounted = false;
    };
  }, [card]);
  if (!stripe) return <Waiting text="checkout.pleaseWait" />;
  const options = { clientSecret: card.clientSecret, locale: language, appearance: getAppearance() };
  return (
    <Elements stripe={stripe} options={options}>
      <PaymentForm {...props} />
    </Elements>
  );
}

function PaymentForm({ action, busy, isPolling, onBusy, onConfirmed, onFailed, onClose }: CardFormProps) {
  const stripe = useStripe();
  const elements = useElements();
  const [isReady, setReady] = useState(false);
  const [declineText, setDeclineText] = useState<string | null>(null);
  const fields = useRef<HTMLFieldSetElement>(null);
  const declineId = useId();

  const confirm = async () => {
    if (!stripe || !elements) return;
    const { error } = await stripe.confirmSetup({ elements, redirect: 'if_required' });
    // The form shows validation errors itself.
    if (error?.type === 'validation_error') return;
    if (error?.type === 'card_error' && error.message) {
      setDeclineText(error.message);
      fields.current?.focus();
      return;
    }
    if (error) onFailed(toPurchaseFailure('payment-provider', error.message ?? null));
    else onConfirmed();
  };

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (busy) return;
    setDeclineText(null);
    onBusy(true);
    void confirm()
      .catch(() => onFailed(toPurchaseFailure('network')))
      .finally(() => onBusy(false));
  };

  return (
    <form onSubmit={submit} className="grid gap-5">
      {/* Stripe's fields are in a frame, so that a declined card marks their group. */}
      <fieldset
        ref={fields}
        tabIndex={-1}
        aria-invalid={declineText !== null}
        aria-describedby={declineText ? declineId : undefined}
        className="grid min-w-0 gap-1.5 outline-none"
      >
        <PaymentElement
          onReady={() => setReady(true)}
          onLoadError={({ error }) => onFailed(toPurchaseFailure('payment-provider', error.message ?? null))}
        />
        {declineText && (
          <p id={declineId} role="alert" className="text-sm text-danger">
            {declineText}
          </p>
        )}
      </fieldset>
      <CardActions action={action} busy={busy} isReady={isReady} isPolling={isPolling} onClose={onClose} />
    </form>
  );
}
