import { api, type Plan, type PurchasedSubscription, type ResponseBody } from '@escucho/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import { useId, useState } from 'react';
import { call } from '#shared/api/client.ts';
import { type Format, type T, useFormat, useLanguage, useT } from '#shared/i18n/i18n.ts';
import { useQueryParams } from '#shared/location.tsx';
import { Button } from '#shared/ui/button.tsx';
import { ConfirmDialog, Dialog } from '#shared/ui/dialog.tsx';
import { toast, toastError } from '#shared/ui/toast.tsx';
import { getPlanStatus, getPlanTerms } from '../model/plans.ts';
import { billingKey, managementQuery, receiptsQuery } from '../queries.ts';
import type { Buyer } from '../subscription.ts';
import { PaymentActions } from './payment-actions.tsx';

type ManagedSubscription = ResponseBody<typeof api.subscription.findSubscription>;

interface Props {
  subscription: ManagedSubscription;
  current: PurchasedSubscription;
  buyer: Buyer;
  refresh: () => Promise<boolean>;
}

function getStatusText(current: PurchasedSubscription, language: string, t: T, format: Format): string {
  const { status, until } = getPlanStatus(current);
  const date = until ? format.date(until) : '';
  if (status === 'unconfirmed') return t('manage.unconfirmed', { date });
  if (status === 'unpaid') return until ? t('manage.unpaid', { date }) : t('manage.unpaidEnded');
  if (status === 'ending') return t('manage.endsOn', { date });
  if (status === 'renewing') return t('manage.renewsOn', { date });
  return t('manage.trialUntil', { date, ...getPlanTerms(current.nextPlan ?? current.plan, language, t) });
}

/** The plan's name, price and status. */
function PlanSummary({ current }: Pick<Props, 'current'>) {
  const t = useT();
  const language = useLanguage();
  const format = useFormat();
  const { plan, nextPlan, billingIssueAt, unsubscribedAt } = current;
  const terms = getPlanTerms(plan, language, t);
  return (
    <>
      <p className="text-sm text-muted">{t('manage.title')}</p>
      <h2 id="plan-title" className="font-serif text-xl font-semibold tracking-tight">
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

/** Returns functions that change the plan and show the result. */
function usePlanChange({ buyer, refresh }: Pick<Props, 'buyer' | 'refresh'>) {
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);

  const showResult = (result: ManagedSubscription) => {
    client.setQueryData(managementQuery(buyer._id).queryKey, result);
    void client.invalidateQueries({ queryKey: receiptsQuery(buyer._id).queryKey });
    void refresh();
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
export function CurrentPlan({ subscription, current, buyer, refresh }: Props) {
  const t = useT();
  const format = useFormat();
  const [dialog, setDialog] = useState<'cancel' | 'change' | null>(null);
  const { isBusy, showResult, change } = usePlanChange({ buyer, refresh });
  const [query] = useQueryParams();
  const until = { date: format.date(current.endsAt) };
  // Without the renewal's payment there is no paid time left: canceling ends the plan at once.
  const isUnpaid = current.billingIssueAt !== null;
  const close = () => setDialog(null);
  const resume = () => change(() => call(api.subscription.resumeSubscription, {}), t('manage.resumed'));
  const cancel = () =>
    change(
      () => call(api.subscription.cancelSubscription, {}),
      isUnpaid ? t('manage.ended') : t('manage.canceled', until),
    ).then(close);
  const choose = (product: string) =>
    change(() => call(api.subscription.changePlan, { body: { product } }), t('manage.changed')).then(close);

  return (
    <section aria-labelledby="plan-title" className="rounded-lg border border-line bg-surface p-6">
      <PlanSummary current={current} />
      <div className="mt-6 flex flex-wrap gap-3 empty:hidden">
        {current.canResume && (
          <Button variant="solid" busy={isBusy} onClick={() => void resume()}>
            {t('manage.resume')}
          </Button>
        )}
        <PaymentActions userId={buyer._id} current={current} onChange={showResult} />
        {current.canChangePlan && subscription.plans.length > 1 && (
          <Button onClick={() => setDialog('change')}>{t('manage.change')}</Button>
        )}
        {current.canCancel && (
          <Button variant="ghost" onClick={() => setDialog('cancel')}>
            {t('manage.cancel')}
          </Button>
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
      {dialog === 'cancel' && (
        <ConfirmDialog
          title="manage.cancelTitle"
          subtitle={isUnpaid ? 'manage.cancelUnpaidText' : 'manage.cancelText'}
          params={until}
          ok="manage.cancel"
          cancel="manage.keepPlan"
          isDanger
          busy={isBusy}
          onOk={() => void cancel()}
          onCancel={close}
        />
      )}
      {dialog === 'change' && (
        <ChangePlanDialog
          plans={subscription.plans}
          currentProduct={(current.nextPlan ?? current.plan).product}
          busy={isBusy}
          onChoose={(product) => void choose(product)}
          onClose={close}
        />
      )}
    </section>
  );
}

interface ChangePlanProps {
  plans: readonly Plan[];
  /** The product of the next renewal. */
  currentProduct: string;
  busy: boolean;
  onChoose: (product: string) => void;
  onClose: () => void;
}

/** Chooses another plan from the next renewal on. */
function ChangePlanDialog({ plans, currentProduct, busy, onChoose, onClose }: ChangePlanProps) {
  const t = useT();
  const language = useLanguage();
  const name = useId();
  const [product, setProduct] = useState(currentProduct);
  return (
    <Dialog title={t('manage.changeTitle')} onClose={onClose}>
      <p className="-mt-2 text-muted text-pretty">{t('manage.changeText')}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (product === currentProduct) onClose();
          else onChoose(product);
        }}
      >
        <fieldset className="mt-5 grid gap-3">
          <legend className="sr-only">{t('subscription.plan')}</legend>
          {plans.map((plan) => {
            const terms = getPlanTerms(plan, language, t);
            return (
              <label key={plan.product} className="plan plan-row">
                <input
                  type="radio"
                  name={name}
                  checked={plan.product === product}
                  onChange={() => setProduct(plan.product)}
                />
                <span>
                  <span className="whitespace-nowrap">{terms.plan}</span>
                  {plan.product === currentProduct && (
                    <span className="block text-xs text-muted">{t('manage.title')}</span>
                  )}
                </span>
                <span className="text-balance">{t('manage.price', terms)}</span>
              </label>
            );
          })}
        </fieldset>
        <Button variant="solid" type="submit" busy={busy} className="mt-5 w-full">
          {t(product === currentProduct ? 'manage.keepPlan' : 'manage.choose')}
        </Button>
      </form>
    </Dialog>
  );
}
