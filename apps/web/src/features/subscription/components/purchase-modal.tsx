import { X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { useT } from '#shared/i18n/i18n.ts';
import { IconButton } from '#shared/ui/icon-button.tsx';
import { Toasts } from '#shared/ui/toasts.tsx';

interface Props {
  title: string;
  /** It cannot be closed now. */
  isHeld: boolean;
  onClose: () => void;
  children: ReactNode;
}

/**
 * The modal of the purchase. It is no <dialog>: what a bank asks is a frame that the card's provider puts into the page,
 * and a modal <dialog> would lie over it and take its clicks. So the page beneath is made inert by hand, and no more than that.
 */
export function PurchaseModal({ title, isHeld, onClose, children }: Props) {
  const t = useT();
  const veil = useRef<HTMLDivElement>(null);
  const surface = useRef<HTMLDivElement>(null);
  const heading = useId();

  useLayoutEffect(() => {
    const before = document.activeElement;
    const beneath = [...document.body.children].filter((element) => element !== veil.current);
    const made = beneath.filter((element) => !element.hasAttribute('inert'));
    for (const element of made) element.setAttribute('inert', '');
    surface.current?.focus();
    return () => {
      for (const element of made) element.removeAttribute('inert');
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    event.stopPropagation();
    if (!isHeld) onClose();
  };

  return createPortal(
    <div ref={veil} className="purchase-veil">
      <div
        ref={surface}
        role="dialog"
        aria-modal="true"
        aria-labelledby={heading}
        tabIndex={-1}
        onKeyDown={onKeyDown}
        className="purchase-surface"
      >
        <h2 id={heading} className="sr-only">
          {title}
        </h2>
        <div className="absolute top-4 right-4 z-10">
          <IconButton label={t('common.close')} disabled={isHeld} onClick={onClose}>
            <X />
          </IconButton>
        </div>
        {children}
      </div>
      <Toasts />
    </div>,
    document.body,
  );
}
