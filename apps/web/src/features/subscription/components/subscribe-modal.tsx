import { type ComponentType, useEffect, useState } from 'react';
import { getT, loadNamespace } from '#shared/i18n/i18n.ts';
import { toast } from '#shared/ui/toast.ts';
import { type Buyer, closeSubscribeModal, useSubscribeRequest } from '../store.ts';
import type { OfferProps } from './subscribe-offer.tsx';

async function loadOffer(): Promise<ComponentType<OfferProps>> {
  const [{ SubscribeOffer }] = await Promise.all([
    import('./subscribe-offer.tsx'),
    loadNamespace('subscription'),
  ]);
  return SubscribeOffer;
}

interface Props {
  buyer: Buyer;
  /** Asks the portal whether the subscription is active. */
  refresh: () => Promise<boolean>;
}

/** The subscribe modal, whose code loads when it is first opened. If that fails, it closes and can be opened again. */
export function SubscribeModal(props: Props) {
  const request = useSubscribeRequest();
  const [loaded, setLoaded] = useState<{ Offer: ComponentType<OfferProps> } | null>(null);
  useEffect(() => {
    if (!request || loaded) return;
    loadOffer().then(
      (Offer) => setLoaded({ Offer }),
      () => {
        closeSubscribeModal();
        toast(getT()('common.network'), 'error');
      },
    );
  }, [request, loaded]);
  if (!request || !loaded) return null;
  return <loaded.Offer {...props} resume={request.resume} onClose={closeSubscribeModal} />;
}
