import { type Billing, type CardSetup, type PurchaseFailure, toPurchaseFailure } from '@escucho/purchases';
import { LockKeyhole } from 'lucide-react';
import { type ComponentType, useEffect, useEffectEvent, useId, useState } from 'react';
import { type MessageKey, useT } from '#shared/i18n/i18n.ts';
import { isStripeKey } from '../model/keys.ts';
import { Waiting } from './purchase-screens.tsx';

/** A form that takes a card, whoever provides it (BUY-06). */
export interface CardFormProps {
  billing: Billing;
  card: CardSetup;
  /** What stands above the form, and what it is sent for. */
  title: MessageKey;
  action: MessageKey;
  /** The card is taken, the purchase's status is awaited. */
  isPolling: boolean;
  /** The card is being confirmed, or no more. */
  onBusy: (isBusy: boolean) => void;
  onConfirmed: () => void;
  onFailed: (fault: PurchaseFailure) => void;
  onClose: () => void;
}

/** The form of whoever the publishable key belongs to: Stripe, or the embedded sandbox. */
const formFor = async (publishableKey: string): Promise<ComponentType<CardFormProps>> =>
  isStripeKey(publishableKey)
    ? (await import('./stripe-card-form.tsx')).StripeCardForm
    : (await import('./test-card-form.tsx')).TestCardForm;

/** The card form, its code fetched only now; code that does not come is a network fault. */
export function CardStep(props: CardFormProps) {
  const t = useT();
  const title = useId();
  const { publishableKey } = props.card;
  const [found, setFound] = useState<{ Form: ComponentType<CardFormProps> } | null>(null);
  const failed = useEffectEvent(() => props.onFailed(toPurchaseFailure('network')));
  useEffect(() => {
    formFor(publishableKey).then((Form) => setFound({ Form }), failed);
  }, [publishableKey]);
  return (
    <section aria-labelledby={title} className="grid gap-5">
      <h3 id={title} className="flex items-center gap-3 font-serif text-lg font-semibold">
        <LockKeyhole aria-hidden className="size-5 text-muted" />
        {t(props.title)}
      </h3>
      {found ? <found.Form {...props} /> : <Waiting text="checkout.moment" />}
    </section>
  );
}
