import type { Billing, CardSetup, PurchaseFailure } from '@escucho/purchases';
import { type MessageKey, useT } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';

/** The props of a card form of any provider (BUY-06). */
export interface CardFormProps {
  billing: Billing;
  card: CardSetup;
  title: MessageKey;
  /** The label of the submit button. */
  action: MessageKey;
  /** Whether the card was accepted and the purchase's status is being polled. */
  isPolling: boolean;
  /** Called when confirming the card starts and ends. */
  onBusy: (isBusy: boolean) => void;
  onConfirmed: () => void;
  onFailed: (failure: PurchaseFailure) => void;
  onClose: () => void;
}

interface CardActionsProps {
  action: MessageKey;
  /** Whether the card is being confirmed, or the purchase's status polled. */
  busy: boolean;
  /** Whether the form can be submitted. */
  isReady?: boolean;
  isPolling: boolean;
  onClose: () => void;
}

/** The buttons and the status of a card form. */
export function CardActions({ action, busy, isReady = true, isPolling, onClose }: CardActionsProps) {
  const t = useT();
  return (
    <>
      <Button variant="solid" type="submit" busy={busy} disabled={!isReady}>
        {t(action)}
      </Button>
      <p role="status" className="text-center text-sm text-muted empty:hidden">
        {isPolling && t('checkout.confirming')}
      </p>
      <Button onClick={onClose} disabled={busy}>
        {t('checkout.close')}
      </Button>
    </>
  );
}
