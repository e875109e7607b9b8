import type { User } from '@escucho/contracts';
import { Suspense, useEffect, useState } from 'react';
import { refreshProfile } from '#features/session/session.ts';
import { SubscribeModal } from '#features/subscription/subscription.ts';
import { lazyComponent } from '#shared/lazy.ts';
import { ErrorBoundary } from '../error-boundary.tsx';

const SubscriptionSync = lazyComponent(
  async () => (await import('#features/subscription/components/subscription-sync.tsx')).SubscriptionSync,
);

/** By then what the reader came for is there, in milliseconds. */
const calm = 10_000;

/** Asks the portal whether the reader's subscription is active. */
export const isActiveNow = async (): Promise<boolean> =>
  (await refreshProfile())?.subscription.isActive ?? false;

/** Subscribing, for readers of our own (SUB-02). Nobody waits for the watch, and nothing breaks with it. */
export function BillingHost({ user }: { user: User }) {
  const [isCalm, setCalm] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setCalm(true), calm);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      <SubscribeModal buyer={user} refresh={isActiveNow} />
      <ErrorBoundary place="" instead={null}>
        <Suspense>{isCalm && <SubscriptionSync userId={user._id} refresh={refreshProfile} />}</Suspense>
      </ErrorBoundary>
    </>
  );
}
