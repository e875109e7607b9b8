import type { User } from '@escucho/contracts';
import { useEffect, useState } from 'react';
import { onSignedOut, useSession } from '#features/session/session.ts';
import {
  closeSubscribeModal,
  refreshSubscriptionStatus,
  useResume,
} from '#features/subscription/subscription.ts';
import { IDLE_DELAY_MS } from '#shared/config.ts';
import { lazyComponent } from '#shared/lazy.ts';
import { LazyBoundary } from '#shared/ui/lazy-boundary.tsx';

const SubscribeOffer = lazyComponent(
  async () => (await import('#features/subscription/components/subscribe-offer.tsx')).SubscribeOffer,
  'subscription',
);
const SubscriptionSync = lazyComponent(
  async () => (await import('#features/subscription/components/subscription-sync.tsx')).SubscriptionSync,
);

/** The subscribe modal and the sync with the billing provider, for the portal's own users (SUB-02). */
function DirectBilling({ user }: { user: User }) {
  const resume = useResume();
  const [isSyncing, setSyncing] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSyncing(true), IDLE_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      {/* If its code does not load, it can be opened again. */}
      <LazyBoundary onFailed={closeSubscribeModal}>
        {resume && (
          <SubscribeOffer
            buyer={user}
            refresh={refreshSubscriptionStatus}
            resume={resume}
            onClose={closeSubscribeModal}
          />
        )}
      </LazyBoundary>
      <LazyBoundary>{isSyncing && <SubscriptionSync userId={user._id} />}</LazyBoundary>
    </>
  );
}

/**
 * The billing of the signed-in user. Operators' users need no subscribe modal: they are subscribed as long as they are signed
 * in (SUB-02).
 */
export function SubscriptionContainer() {
  const { user } = useSession();
  useEffect(() => onSignedOut(closeSubscribeModal), []);
  return user && !user.platform && <DirectBilling user={user} />;
}
