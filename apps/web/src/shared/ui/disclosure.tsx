import { clsx } from 'clsx';
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useId, useRef, useState } from 'react';
import { IconButton } from './button.tsx';

interface Props {
  label: string;
  icon: ReactNode;
  /** Highlights the button, e.g. while a setting of the panel is active. */
  isOn?: boolean;
  /** Renders the panel; `close` closes it. */
  children: (close: () => void) => ReactNode;
  className?: string;
}

/**
 * A button that opens a panel above it; Escape, and a press or the focus outside, close it. The panel is positioned by the nearest
 * `relative` ancestor.
 */
export function Disclosure({ label, icon, isOn = false, children, className }: Props) {
  const id = useId();
  const root = useRef<HTMLFieldSetElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [maxHeight, setMaxHeight] = useState(0);

  // The space above the row of buttons, less the gaps.
  const measureSpace = useCallback(
    () => setMaxHeight((root.current?.offsetParent?.getBoundingClientRect().top ?? 0) - 20),
    [],
  );

  useEffect(() => {
    if (!isOpen) return;
    const closeFromOutside = ({ target }: Event) => {
      if (target instanceof Node && !root.current?.contains(target)) setOpen(false);
    };
    addEventListener('pointerdown', closeFromOutside);
    addEventListener('focusin', closeFromOutside);
    addEventListener('resize', measureSpace);
    return () => {
      removeEventListener('pointerdown', closeFromOutside);
      removeEventListener('focusin', closeFromOutside);
      removeEventListener('resize', measureSpace);
    };
  }, [isOpen, measureSpace]);

  const close = () => {
    setOpen(false);
    root.current?.querySelector('button')?.focus();
  };
  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return;
    event.preventDefault();
    event.stopPropagation();
    close();
  };
  return (
    <fieldset ref={root} onKeyDown={closeOnEscape}>
      <IconButton
        label={label}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => {
          measureSpace();
          setOpen(!isOpen);
        }}
        className={clsx(isOpen ? 'bg-hover text-ink' : isOn && 'text-accent-text')}
      >
        {icon}
      </IconButton>
      <div
        id={id}
        hidden={!isOpen}
        style={{ maxHeight: maxHeight > 0 ? maxHeight : undefined, overflowY: 'auto' }}
        className={clsx('popup absolute right-0 bottom-full z-30 mb-3', className)}
      >
        {isOpen && children(close)}
      </div>
    </fieldset>
  );
}
