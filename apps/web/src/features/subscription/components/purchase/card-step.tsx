import { toPurchaseFailure } from '@escucho/purchases';
import { LockKeyhole } from 'lucide-react';
import { type ComponentType, type ReactNode, useEffect, useEffectEvent, useId, useState } from 'react';
import { isStripeKey } from '#features/subscription/billing.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { lazyImport } from '#shared/lazy.ts';
import type { CardFormProps } from './purchase-screens.tsx';
import { Waiting } from './purchase-screens.tsx';

const importStripeForm = lazyImport(() => import('./stripe-card-form.tsx'));
const importTestForm = lazyImport(() => import('./test-card-form.tsx'));

const loadForm = async (publishableKey: string): Promise<ComponentType<CardFormProps>> =>
  isStripeKey(publishableKey)
    ? (await importStripeForm()).StripeCardForm
    : (await importTestForm()).TestCardForm;

/**
 * Loads and shows the card form that the publishable key belongs to. Code that does not load is a network error.
 *
 * @param children shown above the form
 */
export function CardStep({ children, ...props }: CardFormProps & { children?: ReactNode }) {
  const t = useT();
  const title = useId();
  const { publishableKey } = props.card;
  const [loaded, setLoaded] = useState<{ Form: ComponentType<CardFormProps> } | null>(null);
  const handleError = useEffectEvent(() => props.onFailed(toPurchaseFailure('network')));
  useEffect(() => {
    loadForm(publishableKey).then((Form) => setLoaded({ Form }), handleError);
  }, [publishableKey]);
  return (
    <section aria-labelledby={title} className="grid gap-5">
      <h3 id={title} className="flex items-center gap-3 font-serif text-lg font-semibold">
        <LockKeyhole aria-hidden className="size-5 text-muted" />
        {t(props.title)}
      </h3>
      {children}
      {loaded ? <loaded.Form {...props} /> : <Waiting text="checkout.pleaseWait" />}
    </section>
  );
}
