import { lazy, Suspense } from 'react';
import { closeSubscribe, useIsAsking } from '../store.ts';

const SubscribeOffer = lazy(() => import('./subscribe-offer.tsx'));

/** The subscribe modal where it belongs in the page: nothing until it is asked for. */
export function SubscribeModal() {
  const isAsking = useIsAsking();
  if (!isAsking) return null;
  return (
    <Suspense>
      <SubscribeOffer onClose={closeSubscribe} />
    </Suspense>
  );
}
