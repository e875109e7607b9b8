import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { cn } from './cn.ts';
import { IconButton } from './icon-button.tsx';

interface Props {
  label: string;
  icon: ReactNode;
  /** Something is set in it. */
  isOn?: boolean;

  /** What opens; given how to close it. */
  children: (close: () => void) => ReactNode;
  className?: string;
}

// As much as there is above the buttons of a phone on its side.
const room: CSSProperties = { maxHeight: 'calc(100dvh - 7rem)', overflowY: 'auto' };

/** A button that opens a small panel above the row of buttons it stands in, which is to be `relative`; Escape or a press outside closes it. */
export function Disclosure({ label, icon, isOn = false, children, className }: Props) {
  const id = useId();
  const box = useRef<HTMLFieldSetElement>(null);
  const [isOpen, setOpen] = useState(false);

  useEffect(() => {
    if (!isOpen) return;
    const outside = ({ target }: PointerEvent) => {
      if (target instanceof Node && !box.current?.contains(target)) setOpen(false);
    };
    addEventListener('pointerdown', outside);
    return () => removeEventListener('pointerdown', outside);
  }, [isOpen]);

  const close = () => {
    setOpen(false);
    box.current?.querySelector('button')?.focus();
  };
  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return;
    event.preventDefault();
    event.stopPropagation();
    close();
  };
  return (
    <fieldset ref={box} onKeyDown={closeOnEscape}>
      <IconButton
        label={label}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
        className={cn(isOpen ? 'bg-hover text-ink' : isOn && 'text-accent-text')}
      >
        {icon}
      </IconButton>
      <div
        id={id}
        hidden={!isOpen}
        style={room}
        className={cn('popup absolute right-0 bottom-full z-30 mb-3', className)}
      >
        {isOpen && children(close)}
      </div>
    </fieldset>
  );
}
