import { api, type PurchasedSubscription, type ResponseBody } from '@escucho/contracts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import { type ComponentProps, type ComponentType, useState } from 'react';
import { call } from '#shared/api/client.ts';
import { getT, type MessageKey, useFormat, useLanguage, useT } from '#shared/i18n/i18n.ts';
import { lazyImport } from '#shared/lazy.ts';
import { useQueryParams } from '#shared/location.tsx';
import { Button } from '#shared/ui/button.tsx';
import { ConfirmButton } from '#shared/ui/dialog.tsx';
import { toast, toastError } from '#shared/ui/toast.tsx';
import { getPlanTerms, getStatusText } from '../model/plans.ts';
import { billingKey, billingQuery, managementQuery, receiptsQuery } from '../queries.ts';
import { refreshSubscriptionStatus } from '../subscription.ts';
import { ChangePlanDialog } from './plan-chooser.tsx';
import type { PaymentResult, PaymentStep, RenewalPayment } from './renewal-payment.tsx';

const importRenewalPayment = lazyImport(() => import('./renewal-payment.tsx'));

type ManagedSubscription = ResponseBody<typeof api.subscription.findSubscription>;

interface Props {
  subscription: ManagedSubscription;
  current: PurchasedSubscription;
  userId: string;
}

function PlanSummary({ current }: Pick<Props, 'current'>) {
  const t = useT();
  const language = useLanguage();
  const format = useFormat();
  const { plan, nextPlan, billingIssueAt, unsubscribedAt } = current;
  const terms = getPlanTerms(plan, language, t);
  return (
    <>
      <p className="text-sm text-muted">{t('subscription.plan')}</p>
      <h2 id="plan-title" className="heading text-xl">
        {terms.plan}
      </h2>
      <p className="mt-1 text-muted">{t('manage.price', terms)}</p>
      <p className="mt-4 flex gap-3">
        {billingIssueAt !== null && (
          <CircleAlert aria-hidden className="mt-0.5 size-5 shrink-0 text-danger" />
        )}
        {getStatusText(current, language, t, format)}
      </p>
      {nextPlan && !unsubscribedAt && (
        <p className="mt-2 text-muted">{t('manage.next', getPlanTerms(nextPlan, language, t))}</p>
      )}
    </>
  );
}

function usePlanChange(userId: string) {
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);

  const showResult = (result: ManagedSubscription) => {
    const query = managementQuery(userId);
    // A response that is on its way would bring back the plan before the change.
    void client.cancelQueries(query);
    client.setQueryData(query.queryKey, result);
    void client.invalidateQueries({ queryKey: receiptsQuery(userId).queryKey });
    void refreshSubscriptionStatus();
  };

  const change = async (request: () => Promise<ManagedSubscription>, message: string): Promise<void> => {
    setBusy(true);
    try {
      showResult(await request());
      toast(message);
    } catch (error) {
      // What is shown may be out of date, for example after a change on another device.
      void client.invalidateQueries({ queryKey: billingKey });
      toastError(error);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, showResult, change };
}

/** The purchased plan and the actions for it (SUB-07). */
export function CurrentPlan({ subscription, current, userId }: Props) {
  const t = useT();
  const format = useFormat();
  const [isChanging, setChanging] = useState(false);
  const { isBusy, showResult, change } = usePlanChange(userId);
  const [query] = useQueryParams();
  const until = { date: format.date(current.endsAt) };
  // Without the renewal's payment there is no paid time left: canceling ends the plan at once.
  const isUnpaid = current.billingIssueAt !== null;
  const endChange = () => setChanging(false);
  const resume = () => change(() => call(api.subscription.resumeSubscription, {}), t('manage.resumed'));
  const cancel = (close: () => void) =>
    change(
      () => call(api.subscription.cancelSubscription, {}),
      isUnpaid ? t('manage.ended') : t('manage.canceled', until),
    ).then(close);
  const choose = (product: string) =>
    change(() => call(api.subscription.changePlan, { body: { product } }), t('manage.changed')).then(
      endChange,
    );

  return (
    <section aria-labelledby="plan-title" className="rounded-lg border border-line bg-surface p-6">
      <PlanSummary current={current} />
      <div className="mt-6 flex flex-wrap gap-3 empty:hidden">
        {current.canResume && (
          <Button variant="solid" busy={isBusy} onClick={() => void resume()}>
            {t('manage.resume')}
          </Button>
        )}
        <PaymentActions userId={userId} current={current} onChange={showResult} />
        {current.canChangePlan && subscription.plans.length > 1 && (
          <Button onClick={() => setChanging(true)}>{t('manage.change')}</Button>
        )}
        {current.canCancel && (
          <ConfirmButton
            dialog={{
              title: 'manage.cancelTitle',
              subtitle: isUnpaid ? 'manage.cancelUnpaidText' : 'manage.cancelText',
              params: until,
              ok: 'manage.cancel',
              cancel: 'manage.keepPlan',
              isDanger: true,
            }}
            variant="ghost"
            busy={isBusy}
            onConfirm={(close) => void cancel(close)}
          >
            {t('manage.cancel')}
          </ConfirmButton>
        )}
      </div>
      {subscription.managementUrl && (
        <a href={subscription.managementUrl} className="link mt-4 inline-flex min-h-11 items-center">
          {t('manage.portal')}
        </a>
      )}
      {query.get('portal') === 'closed' && (
        <p role="alert" className="mt-2 text-sm text-muted">
          {t('manage.portalClosed')}
        </p>
      )}
      {isChanging && (
        <ChangePlanDialog
          plans={subscription.plans}
          currentProduct={(current.nextPlan ?? current.plan).product}
          busy={isBusy}
          onChoose={(product) => void choose(product)}
          onClose={endChange}
        />
      )}
    </section>
  );
}

type PaymentProps = ComponentProps<typeof RenewalPayment>;

interface PaymentActionsProps {
  userId: string;
  current: PurchasedSubscription;
  /** Called with the subscription as it is after a payment. */
  onChange: (subscription: PaymentResult) => void;
}

/** The buttons for a payment that is due or needs confirmation, and for another card. */
function PaymentActions({ userId, current, onChange }: PaymentActionsProps) {
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
        <Button
          variant="solid"
          busy={loading === 'confirm'}
          disabled={loading === 'card'}
          onClick={() => void start('confirm')}
        >
          {t(current.needsConfirmation ? 'manage.confirmPayment' : 'manage.payNow')}
        </Button>
      )}
      {current.canCancel && (
        <Button busy={loading === 'card'} disabled={loading === 'confirm'} onClick={() => void start('card')}>
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
