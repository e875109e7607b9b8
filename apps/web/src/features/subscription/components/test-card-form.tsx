import { asPurchasesError, toPurchaseFailure } from '@escucho/purchases';
import { useEffect, useState } from 'react';
import { useT } from '#shared/i18n/i18n.ts';
import { Field } from '#shared/ui/field.tsx';
import { useForm } from '#shared/use-form.ts';
import { clock } from '../billing.ts';
import { behaviourOf, type CardBehaviour, refusals, testCardForm, testCards } from '../model/test-cards.ts';
import { BankQuestion } from './bank-question.tsx';
import { CardActions } from './card-actions.tsx';
import type { CardFormProps } from './card-step.tsx';

/** How long the slow card takes, in milliseconds. */
const slowness = 6000;

/** The embedded sandbox's card form: cards that do what is wanted of them, and no money (BUY-06). */
export function TestCardForm(props: CardFormProps) {
  const { billing, card, action, isPolling, onBusy, onConfirmed, onFailed, onClose } = props;
  const t = useT();
  const rules = testCardForm(new Date());
  const { form, field, submit, fill } = useForm(rules, { number: '', expiry: '', code: '' });
  const [isBusy, setBusy] = useState(false);
  const [isAsking, setAsking] = useState(false);
  useEffect(() => form.current?.querySelector('input')?.focus(), [form]);

  const settle = async (does: CardBehaviour | 'refused') => {
    const refusal = does === 'refused' ? 'checkout.wasRefused' : refusals[does];
    setBusy(true);
    onBusy(true);
    try {
      if (does === 'slow') await clock.wait(slowness);
      const accepted = does === 'asks_later' ? does : 'succeeded';
      await billing.confirmTestCard(card.clientSecret, refusal ? 'failed' : accepted);
      if (refusal) onFailed(toPurchaseFailure('payment-provider', t(refusal)));
      else onConfirmed();
    } catch (thrown) {
      const isAway = asPurchasesError(thrown).code === 'NetworkError';
      onFailed(toPurchaseFailure(isAway ? 'network' : 'payment-provider'));
    } finally {
      setBusy(false);
      onBusy(false);
    }
  };

  const pay = async ({ number }: { number: string }) => {
    const does = behaviourOf(number);
    if (does === 'asks') setAsking(true);
    else await settle(does);
  };
  const busy = isBusy || isPolling;
  if (isAsking) return <BankQuestion text="checkout.bankText" busy={busy} onAnswer={settle} />;
  return (
    <form ref={form} noValidate onSubmit={submit(pay, () => undefined)} className="grid gap-5">
      <p className="rounded-md bg-overlay px-4 py-3 text-xs text-muted text-pretty">
        {t('checkout.testNote')}
      </p>
      <Field
        label={t('checkout.cardNumber')}
        inputMode="numeric"
        autoComplete="off"
        placeholder={testCards[0]?.number}
        readOnly={busy}
        {...field('number')}
      />
      <div className="grid gap-3 min-[22rem]:grid-cols-2">
        <Field
          label={t('checkout.expiry')}
          inputMode="numeric"
          autoComplete="off"
          placeholder="12/34"
          readOnly={busy}
          {...field('expiry')}
        />
        <Field
          label={t('checkout.code')}
          inputMode="numeric"
          autoComplete="off"
          placeholder="123"
          readOnly={busy}
          {...field('code')}
        />
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
      <CardActions {...{ action, busy, isPolling, onClose }} />
    </form>
  );
}
