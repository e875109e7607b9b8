import { X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useT } from '#shared/i18n/i18n.ts';
import { adoptStyles } from '#shared/ui/adopt-styles.ts';
import { IconButton } from '#shared/ui/button.tsx';
import { useCloseOnBack } from '#shared/ui/dialog.tsx';
import { Toasts } from '#shared/ui/toast.tsx';
import styles from './purchase.css?inline';

adoptStyles(styles);

interface Props {
  title: string;
  isLocked: boolean;
  onClose: () => void;
  onBack?: (() => void) | undefined;
  children: ReactNode;
}

/**
 * The modal of a purchase. It is not a <dialog>: the card provider adds the bank's confirmation to the page as a frame, which
 * a modal <dialog> would cover and make inert. Instead only the elements present when it opens become inert.
 */
export function PurchaseModal({ title, isLocked, onClose, onBack, children }: Props) {
  const t = useT();
  const overlay = useRef<HTMLDivElement>(null);
  const surface = useRef<HTMLDivElement>(null);
  const heading = useId();
  // Read while rendering: the content of the modal may take the focus before the effect.
  const [previousFocus] = useState(() => document.activeElement);

  useLayoutEffect(() => {
    const siblings = [...document.body.children].filter(
      (element) => element !== overlay.current && !element.hasAttribute('inert'),
    );
    for (const element of siblings) element.setAttribute('inert', '');
    if (!surface.current?.contains(document.activeElement)) surface.current?.focus();
    return () => {
      for (const element of siblings) element.removeAttribute('inert');
      if (previousFocus instanceof HTMLElement) previousFocus.focus();
    };
  }, [previousFocus]);

  useCloseOnBack(() => {
    if (!isLocked) onBack?.();
  });

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    event.stopPropagation();
    if (!isLocked) onClose();
  };

  return createPortal(
    <div ref={overlay} className="purchase-veil">
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
          <IconButton label={t('common.close')} disabled={isLocked} onClick={onClose}>
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
