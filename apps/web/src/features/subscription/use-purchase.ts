import {
  type Billing,
  type Branding,
  type Package,
  type PurchaseEvent,
  type PurchaseState,
  type PurchasesErrorCode,
  type RunningPurchase,
  runPurchase,
} from '@escucho/purchases';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { clock } from './billing.ts';

interface Purchase {
  billing: Billing;
  pack: Package;
  /** The e-mail for receipts, where it is known. */
  email: string | null;
  /** Counts from 1; another one begins anew. */
  attempt: number;
  onFinish: (error: PurchasesErrorCode | null) => void;
}

const begun: PurchaseState = { at: 'present-offer' };

/** Runs a purchase while its widget is drawn. Out: where it stands, who sells, and how it is told what the reader did. */
export function usePurchase({ billing, pack, email, attempt, onFinish }: Purchase) {
  const [state, setState] = useState<PurchaseState>(begun);
  const [branding, setBranding] = useState<Branding | null>(null);
  const running = useRef<RunningPurchase>(null);
  const finished = useEffectEvent(onFinish);
  const knownEmail = useEffectEvent(() => email);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt is another purchase
  useEffect(() => {
    setState(begun);
    const purchase = runPurchase({
      billing,
      clock,
      order: { pack, option: pack.product.defaultOption },
      email: knownEmail(),
      onState: setState,
      onBranding: setBranding,
      onFinish: (error) => finished(error),
    });
    running.current = purchase;
    return purchase.stop;
  }, [billing, pack, attempt]);

  return { state, branding, happened: (event: PurchaseEvent) => running.current?.happened(event) };
}
