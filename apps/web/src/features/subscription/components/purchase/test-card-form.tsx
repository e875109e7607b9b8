import { toPurchaseFailure, toPurchasesError } from '@escucho/purchases';
import { useState } from 'react';
import * as z from 'zod/mini';
import { clock } from '#features/subscription/billing.ts';
import { Field, useForm } from '#shared/form.tsx';
import { type MessageKey, useT } from '#shared/i18n/i18n.ts';
import { CardActions, type CardFormProps, SandboxConfirmation } from './purchase-screens.tsx';

/** The test cards of the embedded sandbox; any other valid card number is accepted. */
const testCards = [
  { number: '4242 4242 4242 4242', behavior: 'accepted', label: 'checkout.cardSucceeds' },
  { number: '4000 0000 0000 0002', behavior: 'declined', label: 'checkout.cardDeclined' },
  { number: '4000 0000 0000 9995', behavior: 'insufficient_funds', label: 'checkout.cardInsufficientFunds' },
  {
    number: '4000 0025 0000 3155',
    behavior: 'requires_confirmation',
    label: 'checkout.cardRequiresConfirmation',
  },
  {
    number: '4000 0027 6000 3184',
    behavior: 'renewals_require_confirmation',
    label: 'checkout.cardRenewalsRequireConfirmation',
  },
  { number: '4000 0000 0000 0069', behavior: 'expired', label: 'checkout.cardExpired' },
  { number: '4000 0000 0000 8005', behavior: 'slow', label: 'checkout.cardSlow' },
] as const;

type CardBehavior = (typeof testCards)[number]['behavior'];

const declineMessages: Partial<Record<CardBehavior, MessageKey>> = {
  declined: 'checkout.declined',
  insufficient_funds: 'checkout.insufficientFunds',
  expired: 'checkout.expired',
};

const SLOW_CARD_DELAY_MS = 6000;

const toDigits = (text: string) => text.replace(/[\s-]/g, '');

/** Returns whether a text is a card number, by its length and the Luhn check digit. */
function isCardNumber(text: string): boolean {
  const digits = toDigits(text);
  if (!/^\d{12,19}$/.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

/** Returns whether an `MM/YY` date has not expired. The numeric keyboards of phones may have no slash. */
function isUnexpired(text: string, now: Date): boolean {
  const [, month, year] = /^(0[1-9]|1[0-2])\s*\/?\s*(\d\d)$/.exec(text.trim()) ?? [];
  return month !== undefined && new Date(2000 + Number(year), Number(month), 1) > now;
}

const getCardBehavior = (number: string): CardBehavior =>
  testCards.find((card) => toDigits(card.number) === toDigits(number))?.behavior ?? 'accepted';

const required = { message: 'field_required', abort: true };

const createTestCardForm = (now: Date) =>
  z.object({
    number: z.string().check(z.minLength(1, required), z.refine(isCardNumber, 'field_invalid')),
    expiry: z.string().check(
      z.minLength(1, required),
      z.refine((text) => isUnexpired(text, now), 'field_invalid'),
    ),
    code: z.string().check(z.minLength(1, required), z.regex(/^\d{3,4}$/, 'field_invalid')),
  });

/** The card form of the embedded sandbox, with test cards and no real payments (BUY-06). */
export function TestCardForm(props: CardFormProps) {
  const { billing, card, action, busy, isPolling, onBusy, onConfirmed, onFailed, onClose } = props;
  const t = useT();
  const schema = createTestCardForm(new Date());
  const { field, submit, fill, reject } = useForm(
    schema,
    { number: '', expiry: '', code: '' },
    { takesFocus: true },
  );
  const [isConfirming, setConfirming] = useState(false);

  // As with a real card, the form stays open for another one.
  const declineCard = (text: string) => {
    setConfirming(false);
    reject('number', text);
  };

  const confirmCard = async (behavior: CardBehavior) => {
    const error = declineMessages[behavior];
    if (error) return declineCard(`${t(error)} ${t('checkout.useOtherCard')}`);
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
      onBusy(false);
    }
  };

  const pay = async ({ number }: { number: string }) => {
    const behavior = getCardBehavior(number);
    if (behavior === 'requires_confirmation') setConfirming(true);
    else await confirmCard(behavior);
  };
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
    <form {...submit(pay)} className="grid gap-5">
      <p className="rounded-md bg-overlay px-4 py-3 text-xs text-muted text-pretty">
        {t('checkout.testNote')}
      </p>
      <Field
        label={t('checkout.cardNumber')}
        placeholder={testCards[0].number}
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
