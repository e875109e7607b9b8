import {
  type ComponentProps,
  cloneElement,
  type ReactElement,
  type ReactNode,
  useRef,
  useState,
} from 'react';
import { lazyComponent } from '../lazy.ts';
import { LazyBoundary } from './lazy-boundary.tsx';
import type { MenuEntry } from './menu-popup.tsx';

interface Props {
  trigger: ReactElement<ComponentProps<'button'>>;
  items: () => MenuEntry[];
  /** The id of the selected entry; makes the entries radio items. */
  value?: string;
  /** Rendered above the entries. */
  header?: ReactNode;
}

const Popup = lazyComponent(async () => (await import('./menu-popup.tsx')).MenuPopup);

/** A menu button. The code of the popup (Base UI) is loaded on hover or focus. */
export function Menu({ trigger, items, value, header }: Props) {
  const anchor = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState<boolean>();
  return (
    <>
      {cloneElement(trigger, {
        ref: anchor,
        'aria-haspopup': 'menu',
        'aria-expanded': open ?? false,
        onPointerEnter: Popup.preload,
        onFocus: Popup.preload,
        onClick: () => setOpen(!open),
      })}
      <LazyBoundary onFailed={() => setOpen(undefined)}>
        {open !== undefined && (
          <Popup
            anchor={anchor}
            open={open}
            onOpenChange={setOpen}
            items={items()}
            value={value}
            header={header}
          />
        )}
      </LazyBoundary>
    </>
  );
}
