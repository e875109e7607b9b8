import { api, type PurchasedSubscription } from '@escucho/contracts';
import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, type ComponentType, useState } from 'react';
import { call } from '#shared/api/client.ts';
import { getT, type MessageKey, useT } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { toast, toastError } from '#shared/ui/toast.ts';
import { billingQuery } from '../queries.ts';
import type { Begun, RenewalPayment } from './renewal-payment.tsx';

type PaymentProps = ComponentProps<typeof RenewalPayment>;
type Paid = Parameters<PaymentProps['onDone']>[0];

interface Props {
  userId: string;
  current: PurchasedSubscription;
  /** The plan stands otherwise now. */
  onChange: (found: Paid) => void;
}

/** The payment that the bank wants confirmed, and another card, each begun with what its form needs. */
export function PaymentActions({ userId, current, onChange }: Props) {
  const t = useT();
  const { data: billing } = useQuery(billingQuery(userId));
  const [asking, setAsking] = useState<Begun['at'] | null>(null);
  const [open, setOpen] = useState<{ Payment: ComponentType<PaymentProps>; begun: Begun } | null>(null);

  const done = (found: Paid, said: MessageKey) => {
    setOpen(null);
    onChange(found);
    toast(getT()(said), said === 'checkout.wasDeclined' ? 'error' : 'success');
  };

  /** What the form needs; nothing where all was paid meanwhile. */
  const ask = async (at: Begun['at']): Promise<Begun | null> => {
    if (at === 'card') return { at, form: await call(api.subscription.createCardSetup, {}) };
    const paid = await call(api.subscription.payRenewal, {});
    if (paid.confirmation) return { at, asked: paid.confirmation };
    done(paid, paid.current?.billingIssueAt ? 'checkout.wasDeclined' : 'manage.paid');
    return null;
  };

  const begin = async (at: Begun['at']) => {
    setOpen(null);
    setAsking(at);
    try {
      const [{ RenewalPayment }, begun] = await Promise.all([import('./renewal-payment.tsx'), ask(at)]);
      if (begun) setOpen({ Payment: RenewalPayment, begun });
    } catch (error) {
      toastError(error);
    } finally {
      setAsking(null);
    }
  };

  const isUnpaid = current.billingIssueAt !== null && !current.needsConfirmation && current.canCancel;
  return (
    <>
      {current.needsConfirmation && (
        <Button variant="solid" busy={asking === 'confirm'} onClick={() => void begin('confirm')}>
          {t('manage.confirmPayment')}
        </Button>
      )}
      {isUnpaid && (
        <Button variant="solid" busy={asking === 'confirm'} onClick={() => void begin('confirm')}>
          {t('manage.payNow')}
        </Button>
      )}
      {current.canCancel && (
        <Button busy={asking === 'card'} onClick={() => void begin('card')}>
          {t('manage.card')}
        </Button>
      )}
      {billing && open && (
        <open.Payment
          billing={billing}
          begun={open.begun}
          onDone={(paid) => done(paid, current.billingIssueAt ? 'manage.paid' : 'manage.cardChanged')}
          onRetry={() => void begin(open.begun.at)}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  );
}
