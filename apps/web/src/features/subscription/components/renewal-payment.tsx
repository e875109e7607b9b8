import { api, type CardSetup, type PaymentConfirmation, type ResponseBody } from '@escucho/contracts';
import type { Billing } from '@escucho/purchases';
import { type ReactNode, useState } from 'react';
import { call, getErrorKey } from '#shared/api/client.ts';
import { type MessageKey, useT } from '#shared/i18n/i18n.ts';
import { adoptStyles } from '#shared/ui/adopt-styles.ts';
import { Button } from '#shared/ui/button.tsx';
import { faultText } from '../model/fault-words.ts';
import { CardStep } from './card-step.tsx';
import { ConfirmPayment } from './confirm-payment.tsx';
import styles from './purchase.css?inline';
import { PurchaseModal } from './purchase-modal.tsx';

adoptStyles(styles);

type Paid = ResponseBody<typeof api.subscription.payRenewal>;

/** What the reader begins with: a form for another card, or the bank's question about the charge that was refused. */
export type Begun = { at: 'card'; form: CardSetup } | { at: 'confirm'; asked: PaymentConfirmation };
type Step = Begun | { at: 'failed'; text: string };

/** A step beside the modal's cross. */
function Titled({ title, children }: { title: MessageKey; children: ReactNode }) {
  const t = useT();
  return (
    <section className="grid gap-5">
      <h3 className="font-serif text-lg font-semibold">{t(title)}</h3>
      {children}
    </section>
  );
}

interface Props {
  billing: Billing;
  begun: Begun;
  /** The card is taken, or the payment confirmed. */
  onDone: (paid: Paid) => void;
  onRetry: () => void;
  onClose: () => void;
}

/** Another card for a plan, and confirming a renewal with the bank: one leads to the other where the new card asks, too. */
export function RenewalPayment({ billing, begun, onDone, onRetry, onClose }: Props) {
  const t = useT();
  const [step, setStep] = useState<Step>(begun);
  const [isTaking, setTaking] = useState(false);
  const [isConfirming, setConfirming] = useState(false);
  const failed = (text: string) => setStep({ at: 'failed', text });

  /** What the provider makes of a card, or of the bank's answer. */
  const proceed = async (make: () => Promise<Paid>) => {
    setTaking(true);
    try {
      const paid = await make();
      const { confirmation, current } = paid;
      if (confirmation && step.at === 'card') setStep({ at: 'confirm', asked: confirmation });
      else if (confirmation) failed(t('manage.notConfirmed'));
      else if (current?.billingIssueAt) failed(t('checkout.wasDeclined'));
      else onDone(paid);
    } catch (error) {
      failed(t(getErrorKey(error)));
    } finally {
      setTaking(false);
    }
  };

  const screen = () => {
    switch (step.at) {
      case 'card':
        return (
          <CardStep
            billing={billing}
            card={step.form}
            title="manage.card"
            action="manage.useCard"
            isPolling={isTaking}
            onBusy={setConfirming}
            onConfirmed={() =>
              void proceed(() => call(api.subscription.replaceCard, { body: { setup: step.form.setup } }))
            }
            onFailed={(fault) => failed(faultText(fault, t))}
            onClose={onClose}
          />
        );
      case 'confirm':
        return (
          <Titled title="manage.confirmPayment">
            <ConfirmPayment
              billing={billing}
              asked={step.asked}
              busy={isTaking}
              onAnswered={() => void proceed(() => call(api.subscription.payRenewal, {}))}
              onFailed={() => failed(t('common.network'))}
            />
          </Titled>
        );
      case 'failed':
        return (
          <Titled title="checkout.errorTitle">
            <p role="alert" className="text-muted text-pretty">
              {step.text}
            </p>
            <Button variant="solid" onClick={onRetry}>
              {t('common.retry')}
            </Button>
            <Button onClick={onClose}>{t('checkout.close')}</Button>
          </Titled>
        );
    }
  };

  return (
    <PurchaseModal
      title={t(begun.at === 'card' ? 'manage.card' : 'manage.confirmPayment')}
      isHeld={isTaking || isConfirming}
      onClose={onClose}
    >
      <div className="purchase-screen">{screen()}</div>
    </PurchaseModal>
  );
}
