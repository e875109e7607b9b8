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
import type { MenuEntry } from './menu-popup.tsx';

interface Props {
  trigger: ReactElement<ComponentProps<'button'>>;
  items: () => MenuEntry[];
  /** The id of the selected entry; makes the entries radio items. */
  value?: string;
  /** Rendered above the entries. */
  header?: ReactNode;
}

const loadPopup = lazyImport(() => import('./menu-popup.tsx'));
const Popup = lazy(loadPopup);

/** A menu button. The code of the popup (Base UI) is loaded on hover or focus. */
export function Menu({ trigger, items, value, header }: Props) {
  const anchor = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState<boolean>();
  const prefetch = () => void loadPopup();
  return (
    <>
      {cloneElement(trigger, {
        ref: anchor,
        'aria-haspopup': 'menu',
        'aria-expanded': open ?? false,
        onPointerEnter: prefetch,
        onFocus: prefetch,
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
