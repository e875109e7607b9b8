import type { Plan, Receipt, Subscription } from '@escucho/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormat, useLanguage, useT } from '#shared/i18n/i18n.ts';
import { buttonClassName } from '#shared/ui/button.tsx';
import { ErrorState, InlineQueryFallback, Skeleton } from '#shared/ui/states.tsx';
import { formatPrice, getPlanTerms } from '../model/plans.ts';
import { managementQuery, receiptsQuery } from '../queries.ts';
import { type Buyer, refreshSubscriptionStatus } from '../subscription.ts';
import { CurrentPlan } from './current-plan.tsx';
import { PlanChooser } from './plan-chooser.tsx';
import { PurchaseFlow } from './purchase/purchase-widget.tsx';

/** The subscription settings while they are loading. */
export const SubscriptionSkeleton = () => (
  <div aria-busy="true" className="grid gap-4">
    <Skeleton className="h-48" />
    <Skeleton className="h-11" />
  </div>
);

/** The subscription settings (SUB-07): manages the plan, or sells one in the page. */
export function SubscriptionPanel({ buyer }: { buyer: Buyer }) {
  const t = useT();
  const { data, isError, isPaused, refetch } = useQuery(managementQuery(buyer._id));
  if (!data && (isError || isPaused))
    return <ErrorState text={t('manage.failed')} onRetry={() => void refetch()} />;
  if (!data) return <SubscriptionSkeleton />;
  const { current, subscription } = data;
  const receipts = { userId: buyer._id, plans: data.plans };
  if (!current && !subscription.isActive)
    return (
      <div className="grid gap-8">
        <FreePlan buyer={buyer} />
        <Receipts {...receipts} isOptional />
      </div>
    );
  return (
    <div className="grid gap-8">
      {current ? (
        <CurrentPlan subscription={data} current={current} userId={buyer._id} />
      ) : (
        <ExternalPlan subscription={subscription} managementUrl={data.managementUrl} />
      )}
      <Receipts {...receipts} />
    </div>
  );
}

const panel = 'rounded-lg border border-line bg-surface p-6';

interface ExternalPlanProps {
  subscription: Subscription;
  managementUrl: string | null;
}

/** A subscription that was granted, or is managed on the billing provider's own page. */
function ExternalPlan({ subscription: { store, expiresAt, willRenew }, managementUrl }: ExternalPlanProps) {
  const t = useT();
  const format = useFormat();
  const date = expiresAt ? format.date(expiresAt) : '';
  const getText = () => {
    if (store === 'promotional') return date ? t('manage.giftUntil', { date }) : t('manage.giftForever');
    return date && t(willRenew ? 'manage.renewsOn' : 'manage.endsOn', { date });
  };
  return (
    <section className={panel}>
      <h2 className="font-serif text-lg font-semibold">{t('manage.activeTitle')}</h2>
      <p className="mt-2 text-muted empty:hidden">{getText()}</p>
      {store !== 'promotional' && managementUrl && (
        <a href={managementUrl} className={buttonClassName('soft', 'mt-6')}>
          {t('manage.managePlan')}
        </a>
      )}
    </section>
  );
}

/** The plans, and the purchase widget in their place (BUY-01). */
function FreePlan({ buyer }: { buyer: Buyer }) {
  const t = useT();
  const [container, setContainer] = useState<HTMLElement | null>(null);
  return (
    <section className={panel}>
      <div ref={setContainer} />
      <PurchaseFlow
        buyer={buyer}
        refresh={refreshSubscriptionStatus}
        target={container}
        onPurchased={() => undefined}
      >
        {(buy) => (
          <>
            <h2 className="font-serif text-lg font-semibold">{t('manage.free')}</h2>
            <p className="mt-2 text-muted">{t('manage.freeText')}</p>
            <PlanChooser userId={buyer._id} onSubscribe={buy} />
          </>
        )}
      </PurchaseFlow>
    </section>
  );
}

interface ReceiptsProps {
  userId: string;
  plans: readonly Plan[];
  /** Renders nothing where there are no payments: most users without a plan have never paid. */
  isOptional?: boolean;
}

/** The user's payments, newest first (SUB-07). */
function Receipts({ userId, plans, isOptional = false }: ReceiptsProps) {
  const t = useT();
  const language = useLanguage();
  const format = useFormat();
  const query = useQuery(receiptsQuery(userId));
  const receipts = query.data;
  const getName = ({ product, title }: Receipt['plan']) => {
    const plan = plans.find((each) => each.product === product);
    return plan ? getPlanTerms(plan, language, t).plan : title;
  };
  if (isOptional && !query.isError && !query.isPaused && !receipts?.length) return null;
  return (
    <section aria-labelledby="receipts-title">
      <h2 id="receipts-title" className="font-serif text-lg font-semibold">
        {t('manage.receipts')}
      </h2>
      {!receipts && (
        <InlineQueryFallback
          query={query}
          text={t('common.failedTitle')}
          className="mt-3 flex flex-wrap items-center gap-3 text-muted"
          loading={
            <div aria-busy="true" className="mt-3">
              <Skeleton className="h-12" />
            </div>
          }
        />
      )}
      {receipts?.length === 0 && <p className="mt-2 text-muted">{t('manage.noReceipts')}</p>}
      {receipts && receipts.length > 0 && (
        <ul className="mt-3 divide-y divide-line rounded-lg border border-line bg-surface px-5">
          {receipts.map(({ _id, paidAt, plan, paid, refunded }) => (
            <li
              key={_id}
              className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-4 text-sm"
            >
              <span className="text-muted">{format.date(paidAt)}</span>
              <span className="min-w-0 flex-1">{getName(plan)}</span>
              {refunded > 0 && (
                <span className="text-muted">
                  {t('manage.refunded', {
                    price: formatPrice({ amount: refunded, currency: paid.currency }, language),
                  })}
                </span>
              )}
              <span className="font-semibold">{formatPrice(paid, language)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
