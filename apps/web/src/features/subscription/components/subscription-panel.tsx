import type { Subscription } from '@escucho/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormat, useT } from '#shared/i18n/i18n.ts';
import { buttonClassName } from '#shared/ui/button.tsx';
import { Skeleton } from '#shared/ui/skeleton.tsx';
import { ErrorState } from '#shared/ui/states.tsx';
import { managementQuery } from '../queries.ts';
import { BoughtPlan } from './bought-plan.tsx';
import { Buying } from './buying.tsx';
import { PlanChooser } from './plan-chooser.tsx';
import { Receipts } from './receipts.tsx';
import type { Buyer } from './subscribe-modal.tsx';

interface Props {
  buyer: Buyer;
  /** Asks whether the subscription is active by now. */
  refresh: () => Promise<boolean>;
}

/** The reader's plan in the settings (SUB-07): to manage the one there is, or to buy one where it stands. */
export function SubscriptionPanel(props: Props) {
  const t = useT();
  const { data: found, isError, refetch } = useQuery(managementQuery(props.buyer._id));
  if (isError && !found) return <ErrorState text={t('manage.failed')} onRetry={() => void refetch()} />;
  if (!found)
    return (
      <div aria-busy="true" className="grid gap-4">
        <Skeleton className="h-48" />
        <Skeleton className="h-11" />
      </div>
    );
  const { current, subscription } = found;
  if (!current && !subscription.isActive) return <FreePlan {...props} />;
  return (
    <div className="grid gap-8">
      {current ? (
        <BoughtPlan found={found} current={current} {...props} />
      ) : (
        <OtherPlan subscription={subscription} managementUrl={found.managementUrl} />
      )}
      <Receipts userId={props.buyer._id} plans={found.plans} />
    </div>
  );
}

const panel = 'rounded-lg border border-line bg-surface p-6';

interface OtherProps {
  subscription: Subscription;
  managementUrl: string | null;
}

/** What was given, or is managed at a billing provider's own page. */
function OtherPlan({ subscription: { store, expiresAt, willRenew }, managementUrl }: OtherProps) {
  const t = useT();
  const format = useFormat();
  const date = expiresAt ? format.date(expiresAt) : '';
  const text = () => {
    if (store === 'promotional') return date ? t('manage.givenUntil', { date }) : t('manage.givenForGood');
    return date && t(willRenew ? 'manage.renewsOn' : 'manage.endsOn', { date });
  };
  return (
    <section className={panel}>
      <h2 className="font-serif text-lg font-semibold">{t('manage.given')}</h2>
      <p className="mt-2 text-muted empty:hidden">{text()}</p>
      {store !== 'promotional' && managementUrl && (
        <a href={managementUrl} className={buttonClassName('soft', 'mt-6')}>
          {t('manage.elsewhere')}
        </a>
      )}
    </section>
  );
}

/** Nothing was bought: the plans, and the purchase in their place (BUY-01). */
function FreePlan({ buyer, refresh }: Props) {
  const t = useT();
  const [place, setPlace] = useState<HTMLElement | null>(null);
  return (
    <section className={panel}>
      <div ref={setPlace} />
      <Buying buyer={buyer} refresh={refresh} target={place} onBought={() => undefined}>
        {(buy) => (
          <>
            <h2 className="font-serif text-lg font-semibold">{t('manage.free')}</h2>
            <p className="mt-2 text-muted">{t('manage.freeText')}</p>
            <PlanChooser userId={buyer._id} onSubscribe={buy} />
          </>
        )}
      </Buying>
    </section>
  );
}
