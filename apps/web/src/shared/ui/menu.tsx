import {
  type ComponentProps,
  cloneElement,
  lazy,
  type ReactElement,
  type ReactNode,
  Suspense,
  useRef,
  useState,
} from 'react';
import { lazyImport } from '../lazy.ts';

export interface MenuEntry {
  id: string;
  label: ReactNode;
  icon?: ReactNode;
  onSelect: () => void;
  /** Waits until the menu has gone and the focus is back on its button, where the dialog will leave it. */
  opensDialog?: boolean;
}

interface Props {
  trigger: ReactElement<ComponentProps<'button'>>;
  items: () => MenuEntry[];
  /** The chosen entry's id: turns the entries into a choice of one. */
  value?: string;
  /** Stands above the entries, e.g. whose menu it is. */
  header?: ReactNode;
}

const loadPopup = lazyImport(() => import('./menu-popup.tsx'));
const Popup = lazy(loadPopup);

/** A plain button until it is used: the machinery (Base UI) loads when the pointer or focus comes near. */
export function Menu({ trigger, items, value, header }: Props) {
  const anchor = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState<boolean>();
  const prepare = () => void loadPopup();
  return (
    <>
      {cloneElement(trigger, {
        ref: anchor,
        'aria-haspopup': 'menu',
        'aria-expanded': open ?? false,
        onPointerEnter: prepare,
        onFocus: prepare,
        onClick: () => setOpen(!open),
      })}
      {open !== undefined && (
        <Suspense>
          <Popup
            anchor={anchor}
            open={open}
            onOpenChange={setOpen}
            items={items()}
            value={value}
            header={header}
          />
        </Suspense>
      )}
    </>
  );
}
