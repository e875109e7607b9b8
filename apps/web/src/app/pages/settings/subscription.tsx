import { isActiveNow } from '#app/containers/billing-host.tsx';
import { useSession } from '#features/session/session.ts';
import { SubscriptionPanel } from '#features/subscription/components/subscription-panel.tsx';
import { lazyComponent } from '#shared/lazy.ts';

// Operators' readers have another plan, and other words for it.
const OperatorPlan = lazyComponent(
  async () => (await import('#features/operators/components/operator-plan.tsx')).OperatorPlan,
  'operators',
);

/** The reader's plan: to see, to buy, to change, to end (SUB-07). */
export function SubscriptionPage() {
  const { user, subscription } = useSession();
  if (user?.platform && subscription)
    return <OperatorPlan platform={user.platform} subscription={subscription} />;
  return user && <SubscriptionPanel buyer={user} refresh={isActiveNow} />;
}
