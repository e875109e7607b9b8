import type { PaymentConfirmation } from '@escucho/contracts';
import type { Billing } from '@escucho/purchases';
import { useEffect, useEffectEvent } from 'react';
import { isStripeKey } from '../model/keys.ts';
import { BankQuestion } from './bank-question.tsx';
import { Waiting } from './purchase-screens.tsx';

interface Props {
  billing: Billing;
  asked: PaymentConfirmation;
  busy: boolean;
  /** The bank was asked; what it said, the gateway knows. */
  onAnswered: () => void;
  onFailed: (error: unknown) => void;
}

/** Has the card's owner confirm a charge with the bank: in Stripe's own frame, or by the sandbox's question. */
export function ConfirmPayment({ billing, asked, busy, onAnswered, onFailed }: Props) {
  const { publishableKey, clientSecret } = asked;
  if (isStripeKey(publishableKey))
    return <StripeQuestion asked={asked} onAnswered={onAnswered} onFailed={onFailed} />;
  const answer = async (does: 'succeeds' | 'refused') => {
    const outcome = does === 'succeeds' ? 'succeeded' : 'failed';
    await billing.confirmTestPayment(clientSecret, outcome).then(onAnswered, onFailed);
  };
  return <BankQuestion text="manage.bankText" busy={busy} onAnswer={answer} />;
}

function StripeQuestion({ asked, onAnswered, onFailed }: Pick<Props, 'asked' | 'onAnswered' | 'onFailed'>) {
  const answered = useEffectEvent(onAnswered);
  const failed = useEffectEvent(onFailed);
  useEffect(() => {
    let wanted = true;
    const ask = async () => {
      const { loadStripe } = await import('@stripe/stripe-js/pure');
      const stripe = await loadStripe(asked.publishableKey, { stripeAccount: asked.accountId });
      if (!wanted) return;
      if (!stripe) throw new Error('Stripe is not there');
      await stripe.confirmCardPayment(asked.clientSecret, { payment_method: asked.card });
      if (wanted) answered();
    };
    ask().catch((error: unknown) => wanted && failed(error));
    return () => {
      wanted = false;
    };
  }, [asked]);
  return <Waiting text="checkout.moment" />;
}
