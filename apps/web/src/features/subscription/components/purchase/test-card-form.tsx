import { toPurchaseFailure, toPurchasesError } from '@escucho/purchases';
import { useState } from 'react';
import { clock } from '#features/subscription/billing.ts';
import {
  type CardBehavior,
  createTestCardForm,
  declineMessages,
  getCardBehavior,
  testCards,
} from '#features/subscription/model/test-cards.ts';
import { Field, useFirstFieldFocus, useForm } from '#shared/form.tsx';
import { useT } from '#shared/i18n/i18n.ts';
import { CardActions, type CardFormProps } from './card-form.tsx';
import { SandboxConfirmation } from './payment-confirmation.tsx';

const SLOW_CARD_DELAY_MS = 6000;

/** The card form of the embedded sandbox, with test cards and no real payments (BUY-06). */
export function TestCardForm(props: CardFormProps) {
  const { billing, card, action, isPolling, onBusy, onConfirmed, onFailed, onClose } = props;
  const t = useT();
  const schema = createTestCardForm(new Date());
  const { form, field, submit, fill, reject } = useForm(schema, { number: '', expiry: '', code: '' });
  const [isBusy, setBusy] = useState(false);
  const [isConfirming, setConfirming] = useState(false);
  useFirstFieldFocus(form);

  // As with a real card, the form stays open for another one.
  const declineCard = (text: string) => {
    setConfirming(false);
    reject('number', text);
  };

  const confirmCard = async (behavior: CardBehavior) => {
    const error = declineMessages[behavior];
    if (error) return declineCard(`${t(error)} ${t('checkout.useOtherCard')}`);
    setBusy(true);
    onBusy(true);
    try {
      if (behavior === 'slow') await clock.wait(SLOW_CARD_DELAY_MS);
      const success = behavior === 'renewals_require_confirmation' ? 'authentication_required' : 'succeeded';
      await billing.confirmTestCard(card.clientSecret, success);
      onConfirmed();
    } catch (thrown) {
      const isNetworkError = toPurchasesError(thrown).code === 'NetworkError';
      onFailed(toPurchaseFailure(isNetworkError ? 'network' : 'payment-provider'));
    } finally {
      setBusy(false);
      onBusy(false);
    }
  };

  const pay = async ({ number }: { number: string }) => {
    const behavior = getCardBehavior(number);
    if (behavior === 'requires_confirmation') setConfirming(true);
    else await confirmCard(behavior);
  };
  const busy = isBusy || isPolling;
  const digits = { inputMode: 'numeric', autoComplete: 'off', readOnly: busy } as const;
  if (isConfirming)
    return (
      <SandboxConfirmation
        text="checkout.bankText"
        busy={busy}
        onDecide={async (isApproved) =>
          isApproved ? confirmCard('accepted') : declineCard(t('checkout.refusedByBank'))
        }
      />
    );
  return (
    <form ref={form} noValidate onSubmit={submit(pay, () => undefined)} className="grid gap-5">
      <p className="rounded-md bg-overlay px-4 py-3 text-xs text-muted text-pretty">
        {t('checkout.testNote')}
      </p>
      <Field
        label={t('checkout.cardNumber')}
        placeholder={testCards[0]?.number}
        {...digits}
        {...field('number')}
      />
      <div className="grid gap-3 min-[22rem]:grid-cols-2">
        <Field label={t('checkout.expiry')} placeholder="12/34" {...digits} {...field('expiry')} />
        <Field label={t('checkout.code')} placeholder="123" {...digits} {...field('code')} />
      </div>
      <details className="text-sm">
        <summary className="py-3 text-muted">{t('checkout.testCards')}</summary>
        <ul className="grid gap-2">
          {testCards.map(({ number, label }) => (
            <li key={number}>
              <button
                type="button"
                aria-label={t('checkout.useCard', { what: t(label) })}
                disabled={busy}
                onClick={() => fill({ number, expiry: '12/34', code: '123' })}
                className="flex min-h-11 w-full flex-wrap items-center justify-between gap-x-3 rounded-md px-4 py-1 text-left hover:bg-hover"
              >
                <span className="tabular-nums">{number}</span>
                <span className="text-muted">{t(label)}</span>
              </button>
            </li>
          ))}
        </ul>
      </details>
      <CardActions action={action} busy={busy} isPolling={isPolling} onClose={onClose} />
    </form>
  );
}
