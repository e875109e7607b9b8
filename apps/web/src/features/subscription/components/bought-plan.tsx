import { api, type PurchasedSubscription, type ResponseBody } from '@escucho/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { call } from '#shared/api/client.ts';
import { type Format, type T, useFormat, useLanguage, useT } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { ConfirmDialog } from '#shared/ui/confirm-dialog.tsx';
import { toast, toastError } from '#shared/ui/toast.ts';
import { termsOf } from '../model/period-words.ts';
import { planStateOf } from '../model/plan-state.ts';
import { billingKey, managementQuery, receiptsQuery } from '../queries.ts';
import { ChangePlan } from './change-plan.tsx';
import { PaymentActions } from './payment-actions.tsx';
import type { Buyer } from './subscribe-modal.tsx';

type Found = ResponseBody<typeof api.subscription.findSubscription>;

interface Props {
  found: Found;
  current: PurchasedSubscription;
  buyer: Buyer;
  refresh: () => Promise<boolean>;
}

/** How the plan stands, in words. */
function stateText(current: PurchasedSubscription, language: string, t: T, format: Format): string {
  const { is, until } = planStateOf(current);
  const date = until ? format.date(until) : '';
  if (is === 'unconfirmed') return t('manage.unconfirmed', { date });
  if (is === 'unpaid') return until ? t('manage.unpaid', { date }) : t('manage.unpaidEnded');
  if (is === 'ending') return t('manage.endsOn', { date });
  if (is === 'renewing') return t('manage.renewsOn', { date });
  return t('manage.trialUntil', { date, ...termsOf(current.nextPlan ?? current.plan, language, t) });
}

/** Which plan it is, what it costs, and how it stands. */
function PlanWords({ current }: Pick<Props, 'current'>) {
  const t = useT();
  const language = useLanguage();
  const format = useFormat();
  const { plan, nextPlan, billingIssueAt, unsubscribedAt } = current;
  const terms = termsOf(plan, language, t);
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
        {stateText(current, language, t, format)}
      </p>
      {nextPlan && !unsubscribedAt && (
        <p className="mt-2 text-muted">{t('manage.next', termsOf(nextPlan, language, t))}</p>
      )}
    </>
  );
}

/** Changes of a plan, shown and said. In: whose it is, and what is asked anew after each. */
function useChange({ buyer, refresh }: Pick<Props, 'buyer' | 'refresh'>) {
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);

  const show = (made: Found) => {
    client.setQueryData(managementQuery(buyer._id).queryKey, made);
    void client.invalidateQueries({ queryKey: receiptsQuery(buyer._id).queryKey });
    void refresh();
  };

  /** Makes a change and shows what came of it. In: the change, and what is said when it is made. */
  const change = async (make: () => Promise<Found>, said: string): Promise<void> => {
    setBusy(true);
    try {
      show(await make());
      toast(said);
    } catch (error) {
      // Somebody else, or time, was faster: what is shown is not how it is.
      void client.invalidateQueries({ queryKey: billingKey });
      toastError(error);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, show, change };
}

/** A plan that was bought, and what its owner can do about it. What is paid for stays. */
export function BoughtPlan({ found, current, buyer, refresh }: Props) {
  const t = useT();
  const format = useFormat();
  const [asked, ask] = useState<'cancel' | 'change' | null>(null);
  const { isBusy, show, change } = useChange({ buyer, refresh });
  const [query] = useSearchParams();
  const until = { date: format.date(current.endsAt) };
  // What is paid for is over where a renewal is owed.
  const isOwed = current.billingIssueAt !== null;
  const close = () => ask(null);
  const resume = () => change(() => call(api.subscription.resumeSubscription, {}), t('manage.resumed'));
  const cancel = () =>
    change(
      () => call(api.subscription.cancelSubscription, {}),
      isOwed ? t('manage.ended') : t('manage.canceled', until),
    ).then(close);
  const choose = (product: string) =>
    change(() => call(api.subscription.changePlan, { body: { product } }), t('manage.changed')).then(close);

  return (
    <section aria-labelledby="plan-title" className="rounded-lg border border-line bg-surface p-6">
      <PlanWords current={current} />
      <div className="mt-6 flex flex-wrap gap-3 empty:hidden">
        {current.canResume && (
          <Button variant="solid" busy={isBusy} onClick={() => void resume()}>
            {t('manage.resume')}
          </Button>
        )}
        <PaymentActions userId={buyer._id} current={current} onChange={show} />
        {current.canChangePlan && found.plans.length > 1 && (
          <Button onClick={() => ask('change')}>{t('manage.change')}</Button>
        )}
        {current.canCancel && (
          <Button variant="ghost" onClick={() => ask('cancel')}>
            {t('manage.cancel')}
          </Button>
        )}
      </div>
      {found.managementUrl && (
        <a href={found.managementUrl} className="link mt-4 inline-flex min-h-11 items-center">
          {t('manage.portal')}
        </a>
      )}
      {query.get('portal') === 'closed' && (
        <p role="alert" className="mt-2 text-sm text-muted">
          {t('manage.portalClosed')}
        </p>
      )}
      {asked === 'cancel' && (
        <ConfirmDialog
          title="manage.cancelTitle"
          subtitle={isOwed ? 'manage.cancelUnpaidText' : 'manage.cancelText'}
          params={until}
          ok="manage.cancel"
          cancel="manage.keep"
          isDanger
          busy={isBusy}
          onOk={() => void cancel()}
          onCancel={close}
        />
      )}
      {asked === 'change' && (
        <ChangePlan
          plans={found.plans}
          chosen={(current.nextPlan ?? current.plan).product}
          busy={isBusy}
          onChoose={(product) => void choose(product)}
          onClose={close}
        />
      )}
    </section>
  );
}
