import { lazyComponent } from '#shared/lazy.ts';
import { LazyBoundary } from '#shared/ui/lazy-boundary.tsx';
import { type Buyer, closeSubscribeModal, useSubscribeRequest } from '../store.ts';

const SubscribeOffer = lazyComponent(
  async () => (await import('./subscribe-offer.tsx')).SubscribeOffer,
  'subscription',
);

interface Props {
  buyer: Buyer;
  /** Asks the portal whether the subscription is active. */
  refresh: () => Promise<boolean>;
}

/** The subscribe modal, whose code loads when it is first opened. If that fails, it closes and can be opened again. */
export function SubscribeModal(props: Props) {
  const request = useSubscribeRequest();
  return (
    <LazyBoundary onFailed={closeSubscribeModal}>
      {request && <SubscribeOffer {...props} resume={request.resume} onClose={closeSubscribeModal} />}
    </LazyBoundary>
  );
}
