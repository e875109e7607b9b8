import type { Billing, Package, PurchasesErrorCode } from '@escucho/purchases';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { getT } from '#shared/i18n/i18n.ts';
import { toast } from '#shared/ui/toast.ts';
import { untilActive } from '../activation.ts';
import { billingQuery, managementQuery } from '../queries.ts';
import { PurchaseWidget } from './purchase-widget.tsx';
import type { Buyer } from './subscribe-modal.tsx';

export interface BuyingProps {
  buyer: Buyer;
  /** Asks whether the subscription is active by now. */
  refresh: () => Promise<boolean>;
  /** Where the widget goes; over the page without one (BUY-01). */
  target?: HTMLElement | null;
  /** The reader has come back from a purchase that was made; `isActive`: the portal knows of it. */
  onBought: (isActive: boolean) => void;
  /** What is shown while nothing is being bought. In: how a plan is bought. */
  children: (buy: (pack: Package) => void) => ReactNode;
}

/** Buying a plan: what offers it, then the purchase widget, then what the portal makes of it. */
export function Buying({ buyer, refresh, target = null, onBought, children }: BuyingProps) {
  const client = useQueryClient();
  const { data: billing } = useQuery(billingQuery(buyer._id));
  // The provider is the one of the moment of choosing: a purchase under way does not change hands.
  const [bought, setBought] = useState<{ billing: Billing; pack: Package } | null>(null);
  const [isLeaving, setLeaving] = useState(false);
  const activation = useRef<Promise<boolean>>(null);
  if (!bought) return children((pack) => billing && setBought({ billing, pack }));

  // Asked for once, as soon as the purchase is known to be made, and not only when the reader has read of it.
  const activate = () => {
    activation.current ??= untilActive(refresh);
    return activation.current;
  };

  const finished = async (error: PurchasesErrorCode | null) => {
    if (error !== null && error !== 'ProductAlreadyPurchasedError') return setBought(null);
    setLeaving(true);
    const isActive = await activate();
    activation.current = null;
    // What stands in the settings says so before the widget leaves it.
    await client.invalidateQueries({ queryKey: managementQuery(buyer._id).queryKey });
    setLeaving(false);
    setBought(null);
    // Only now: what lies beneath may be another page by then.
    void client.invalidateQueries();
    toast(getT()(isActive ? 'subscription.bought' : 'subscription.activating'));
    onBought(isActive);
  };

  return (
    <PurchaseWidget
      {...bought}
      email={buyer.email}
      target={target}
      isLeaving={isLeaving}
      onSuccess={() => void activate()}
      onFinish={(error) => void finished(error)}
    />
  );
}
