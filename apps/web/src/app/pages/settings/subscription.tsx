import { useSession } from '../../../features/session/session.ts';
import { useFormat, useT } from '../../../shared/i18n/i18n.ts';
import { cornerPart } from '../../part.ts';

// Operators' readers have another plan, and other words for it.
const OperatorPlan = cornerPart(
  async () => (await import('../../../features/operators/components/operator-plan.tsx')).OperatorPlan,
  'operators',
);

/** What the reader's subscription allows now (SUB-07); buying and managing open later. */
export function SubscriptionPage() {
  const t = useT();
  const format = useFormat();
  const { user, subscription } = useSession();
  if (user?.platform && subscription)
    return <OperatorPlan platform={user.platform} subscription={subscription} />;
  const active = subscription?.isActive ?? false;
  const until = subscription?.expiresAt;
  return (
    <section className="rounded-lg border border-line bg-surface p-6">
      <h2 className="font-serif text-lg font-semibold">
        {t(active ? 'pages.planActive' : 'pages.planNone')}
      </h2>
      {!active && <p className="mt-2 text-muted">{t('pages.planNoneText')}</p>}
      {active && until && (
        <p className="mt-2 text-muted">
          {t(subscription?.willRenew ? 'pages.planRenews' : 'pages.planEnds', { date: format.date(until) })}
        </p>
      )}
      <p className="mt-4 text-sm text-muted">{t('pages.planSoon')}</p>
    </section>
  );
}
