import { useSession } from '#features/session/session.ts';
import {
  SubscriptionPanel,
  SubscriptionSkeleton,
} from '#features/subscription/components/subscription-panel.tsx';
import { lazyComponent } from '#shared/lazy.ts';

// Operators’ users have plans of their own, with messages of their own.
const OperatorPlan = lazyComponent(
  async () => (await import('#features/operators/components/operator-plan.tsx')).OperatorPlan,
  'operators',
);

/** The subscription settings (SUB-07). */
export function SubscriptionPage() {
  const { user, subscription } = useSession();
  if (user?.platform && subscription)
    return <OperatorPlan platform={user.platform} willRenew={subscription.willRenew} />;
  if (!user) return <SubscriptionSkeleton />;
  return <SubscriptionPanel buyer={user} />;
}
