import { lazy, Suspense } from 'react';
import { needWords } from '../../../shared/i18n/i18n.ts';
import { closeSubscribe, useIsAsking } from '../store.ts';

const SubscribeOffer = lazy(async () => {
  const [offer] = await Promise.all([import('./subscribe-offer.tsx'), needWords('corner')]);
  return offer;
});

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
