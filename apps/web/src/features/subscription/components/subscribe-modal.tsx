import { type ComponentType, useEffect, useState } from 'react';
import { getT, loadNamespace } from '#shared/i18n/i18n.ts';
import { toast } from '#shared/ui/toast.ts';
import { closeSubscribe, useAsked } from '../store.ts';
import type { OfferProps } from './subscribe-offer.tsx';

async function loadOffer(): Promise<ComponentType<OfferProps>> {
  const [{ SubscribeOffer }] = await Promise.all([
    import('./subscribe-offer.tsx'),
    loadNamespace('subscription'),
  ]);
  return SubscribeOffer;
}

/** Who subscribes: a reader of our own, never an operator's (SUB-02). */
export interface Buyer {
  _id: string;
  email: string | null;
}

interface Props {
  buyer: Buyer;
  /** Asks whether the subscription is active by now. */
  refresh: () => Promise<boolean>;
}

/** The subscribe modal where it belongs in the page: nothing until it is asked for. Without a network it can be asked for again. */
export function SubscribeModal(props: Props) {
  const asked = useAsked();
  const [loaded, setLoaded] = useState<{ Offer: ComponentType<OfferProps> } | null>(null);
  useEffect(() => {
    if (!asked || loaded) return;
    loadOffer().then(
      (Offer) => setLoaded({ Offer }),
      () => {
        closeSubscribe();
        toast(getT()('common.network'), 'error');
      },
    );
  }, [asked, loaded]);
  if (!asked || !loaded) return null;
  return <loaded.Offer {...props} resume={asked.resume} onClose={closeSubscribe} />;
}
