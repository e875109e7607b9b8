import { api, type PurchasedSubscription } from '@escucho/contracts';
import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, type ComponentType, useState } from 'react';
import { call } from '#shared/api/client.ts';
import { getT, type MessageKey, useT } from '#shared/i18n/i18n.ts';
import { lazyImport } from '#shared/lazy.ts';
import { Button } from '#shared/ui/button.tsx';
import { toast, toastError } from '#shared/ui/toast.tsx';
import { billingQuery } from '../queries.ts';
import type { PaymentStep, RenewalPayment } from './renewal-payment.tsx';

const importRenewalPayment = lazyImport(() => import('./renewal-payment.tsx'));

type PaymentProps = ComponentProps<typeof RenewalPayment>;
type PaymentResult = Parameters<PaymentProps['onDone']>[0];

interface Props {
  userId: string;
  current: PurchasedSubscription;
  /** Called with the subscription as it is after a payment. */
  onChange: (subscription: PaymentResult) => void;
}

/** The buttons for a payment that is due or needs confirmation, and for another card. */
export function PaymentActions({ userId, current, onChange }: Props) {
  const t = useT();
  const { data: billing } = useQuery(billingQuery(userId));
  const [loading, setLoading] = useState<PaymentStep['name'] | null>(null);
  const [open, setOpen] = useState<{ Payment: ComponentType<PaymentProps>; step: PaymentStep } | null>(null);

  const finish = (result: PaymentResult, success: MessageKey) => {
    setOpen(null);
    onChange(result);
    // The time for a late payment may have ended just now.
    if (!result.current) toast(getT()('manage.ended'), 'error');
    else if (result.current.billingIssueAt) toast(getT()('checkout.declined'), 'error');
    else toast(getT()(success), 'success');
  };

  /** Prepares the first step; null if no step is needed because the renewal is paid or declined at once. */
  const prepareStep = async (name: PaymentStep['name']): Promise<PaymentStep | null> => {
    if (name === 'card') return { name, setup: await call(api.subscription.createCardSetup, {}) };
    const result = await call(api.subscription.payRenewal, {});
    if (result.confirmation) return { name, confirmation: result.confirmation };
    finish(result, 'manage.paid');
    return null;
  };

  const start = async (name: PaymentStep['name']) => {
    setOpen(null);
    setLoading(name);
    try {
      const [{ RenewalPayment }, step] = await Promise.all([importRenewalPayment(), prepareStep(name)]);
      if (step) setOpen({ Payment: RenewalPayment, step });
    } catch (error) {
      toastError(error);
    } finally {
      setLoading(null);
    }
  };

  const isUnpaid = current.billingIssueAt !== null && current.canCancel;
  return (
    <>
      {(current.needsConfirmation || isUnpaid) && (
        <Button variant="solid" busy={loading === 'confirm'} onClick={() => void start('confirm')}>
          {t(current.needsConfirmation ? 'manage.confirmPayment' : 'manage.payNow')}
        </Button>
      )}
      {current.canCancel && (
        <Button busy={loading === 'card'} onClick={() => void start('card')}>
          {t('manage.card')}
        </Button>
      )}
      {billing && open && (
        <open.Payment
          billing={billing}
          initialStep={open.step}
          onDone={(result) => finish(result, current.billingIssueAt ? 'manage.paid' : 'manage.cardChanged')}
          onRetry={() => void start(open.step.name)}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  );
}
