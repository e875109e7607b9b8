import type { User } from '@escucho/contracts';
import { Suspense, useEffect, useState } from 'react';
import { refreshProfile, useSession } from '#features/session/session.ts';
import {
  closeSubscribeModal,
  SubscribeModal,
  setSubscription,
  useSubscribeRequest,
} from '#features/subscription/subscription.ts';
import { lazyComponent } from '#shared/lazy.ts';
import { ErrorBoundary } from '../error-boundary.tsx';

const SubscriptionSync = lazyComponent(
  async () => (await import('#features/subscription/components/subscription-sync.tsx')).SubscriptionSync,
);
const SubscriptionEndedDialog = lazyComponent(
  async () =>
    (await import('#features/operators/components/subscription-ended-dialog.tsx')).SubscriptionEndedDialog,
  'operators',
);

/** The sync starts after the requests and images of the page. */
const SYNC_DELAY_MS = 10_000;

/** Requests the profile and returns whether the user's subscription is active. */
export const refreshSubscriptionStatus = async (): Promise<boolean> =>
  (await refreshProfile())?.subscription.isActive ?? false;

/** The subscribe modal and the sync with the billing provider, for the portal's own users (SUB-02). */
function DirectBilling({ user }: { user: User }) {
  const [isSyncing, setSyncing] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSyncing(true), SYNC_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      <SubscribeModal buyer={user} refresh={refreshSubscriptionStatus} />
      <ErrorBoundary resetKey="" fallback={null}>
        <Suspense>{isSyncing && <SubscriptionSync userId={user._id} refresh={refreshProfile} />}</Suspense>
      </ErrorBoundary>
    </>
  );
}

/**
 * Passes the signed-in user's subscription to the subscription store and renders the dialogs that offer one: the
 * subscribe modal, or for operators' users a link to their operator (SUB-02).
 */
export function SubscriptionContainer() {
  const { user, subscription } = useSession();
  const request = useSubscribeRequest();
  useEffect(() => setSubscription(subscription), [subscription]);
  if (!user) return null;
  if (!user.platform) return <DirectBilling user={user} />;
  return (
    <Suspense>
      {request && <SubscriptionEndedDialog platform={user.platform} onClose={closeSubscribeModal} />}
    </Suspense>
  );
}
