import type { Plan } from '@escucho/contracts';
import { useId, useState } from 'react';
import { useLanguage, useT } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { Dialog } from '#shared/ui/dialog.tsx';
import { termsOf } from '../model/period-words.ts';

interface Props {
  plans: readonly Plan[];
  /** The product that the next renewal is of, as things stand. */
  chosen: string;
  busy: boolean;
  onChoose: (product: string) => void;
  onClose: () => void;
}

/** Another plan from the next renewal on. */
export function ChangePlan({ plans, chosen, busy, onChoose, onClose }: Props) {
  const t = useT();
  const language = useLanguage();
  const name = useId();
  const [product, setProduct] = useState(chosen);
  return (
    <Dialog title={t('manage.changeTitle')} onClose={onClose}>
      <p className="-mt-2 text-muted text-pretty">{t('manage.changeText')}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (product === chosen) onClose();
          else onChoose(product);
        }}
      >
        <fieldset className="mt-5 grid gap-3">
          <legend className="sr-only">{t('subscription.plan')}</legend>
          {plans.map((plan) => {
            const terms = termsOf(plan, language, t);
            return (
              <label key={plan.product} className="plan plan-row">
                <input
                  type="radio"
                  name={name}
                  checked={plan.product === product}
                  onChange={() => setProduct(plan.product)}
                />
                <span className="whitespace-nowrap">{terms.plan}</span>
                <span className="justify-self-end text-right text-balance">{t('manage.price', terms)}</span>
              </label>
            );
          })}
        </fieldset>
        <Button variant="solid" type="submit" busy={busy} className="mt-5 w-full">
          {t('manage.choose')}
        </Button>
      </form>
    </Dialog>
  );
}
