import { BookOpenText, Headphones, type LucideIcon, MapPinCheck } from 'lucide-react';
import { useEffect, useState } from 'react';
import { type MessageKey, useT } from '#shared/i18n/i18n.ts';
import { Dialog } from '#shared/ui/dialog.tsx';
import { WaveformIllustration } from '#shared/ui/states.tsx';
import { PlanChooser } from './plan-chooser.tsx';
import { PurchaseFlow, type PurchaseFlowProps } from './purchase/purchase-widget.tsx';

const features: readonly { icon: LucideIcon; text: MessageKey }[] = [
  { icon: Headphones, text: 'subscription.featureAll' },
  { icon: BookOpenText, text: 'subscription.featureText' },
  { icon: MapPinCheck, text: 'subscription.featurePlace' },
];

export interface OfferProps extends Pick<PurchaseFlowProps, 'buyer' | 'refresh'> {
  /** Repeats what was refused. */
  resume: () => void;
  onClose: () => void;
}

/** The content of the subscribe modal (SUB-01): features, plans, and then the purchase. */
export function SubscribeOffer({ buyer, refresh, resume, onClose }: OfferProps) {
  const t = useT();
  // The purchase returns the focus to the button of the plans, which are gone after it.
  const [previousFocus] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (document.activeElement === document.body && previousFocus instanceof HTMLElement)
        previousFocus.focus();
    },
    [previousFocus],
  );
  const handlePurchased = (isActive: boolean) => {
    onClose();
    if (isActive) resume();
  };
  return (
    <PurchaseFlow buyer={buyer} refresh={refresh} onPurchased={handlePurchased} onBack={onClose}>
      {(buy) => (
        <Dialog title={t('subscription.headline')} hideTitle onClose={onClose}>
          {/* On a small phone the plans and their button come first. */}
          <div className="mb-4 text-accent [@media(max-height:46rem)]:hidden">
            <WaveformIllustration />
          </div>
          <p aria-hidden className="heading text-xl text-balance">
            {t('subscription.headline')}
          </p>
          <p className="mt-2 text-sm text-muted text-pretty">{t('subscription.lead')}</p>
          <ul className="mt-5 grid gap-3">
            {features.map(({ icon: Icon, text }) => (
              <li key={text} className="flex items-center gap-3 text-sm">
                <span className="grid size-9 shrink-0 place-items-center rounded-full bg-accent-soft text-accent-text">
                  <Icon aria-hidden className="size-4.5" />
                </span>
                {t(text)}
              </li>
            ))}
          </ul>
          <PlanChooser userId={buyer._id} onSubscribe={buy} onClose={onClose} />
        </Dialog>
      )}
    </PurchaseFlow>
  );
}
