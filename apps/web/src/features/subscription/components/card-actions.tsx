import { type MessageKey, useT } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';

interface Props {
  /** What the form is sent for. */
  action: MessageKey;
  /** The card is being confirmed, or what follows is awaited. */
  busy: boolean;
  /** The form can be sent. */
  isReady?: boolean;
  /** The card is taken, what it comes to is awaited. */
  isPolling: boolean;
  onClose: () => void;
}

/** What every card form ends with: to send it, to leave it, and what is going on. */
export function CardActions({ action, busy, isReady = true, isPolling, onClose }: Props) {
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
