import { Menu } from '@base-ui/react/menu';
import { type ReactNode, type RefObject, useRef } from 'react';

export interface MenuEntry {
  id: string;
  label: ReactNode;
  icon?: ReactNode;
  onSelect: () => void;
  /** Calls `onSelect` once the menu has closed and the focus is on its button, where the dialog returns it. */
  opensDialog?: boolean;
}

interface Props {
  anchor: RefObject<HTMLElement | null>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  items: MenuEntry[];
  value: string | undefined;
  header: ReactNode;
}

// A menu that is open on its first render does not focus an item. Leaves the focus alone if a key already moved it. Does
// not scroll: until the popup is positioned, it is at the top of the page.
const focusFirstItem = (popup: HTMLElement | null) => {
  requestAnimationFrame(() => {
    const [first, ...others] = popup?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [];
    if (!others.some((item) => item === document.activeElement)) first?.focus({ preventScroll: true });
  });
};

export function MenuPopup({ anchor, open, onOpenChange, items, value, header }: Props) {
  const pendingSelect = useRef<() => void>(undefined);
  const select = ({ onSelect, opensDialog }: MenuEntry) => {
    if (opensDialog) pendingSelect.current = onSelect;
    else onSelect();
  };
  const onClosed = (isOpen: boolean) => {
    const onSelect = pendingSelect.current;
    if (isOpen || !onSelect) return;
    pendingSelect.current = undefined;
    anchor.current?.focus();
    onSelect();
  };
  return (
    <Menu.Root open={open} onOpenChange={onOpenChange} onOpenChangeComplete={onClosed}>
      <Menu.Portal>
        <Menu.Positioner anchor={anchor} sideOffset={8} align="end" sticky className="z-50 outline-none">
          <Menu.Popup
            ref={focusFirstItem}
            finalFocus={anchor}
            className="popup max-h-(--available-height) min-w-52 overflow-y-auto p-1.5"
          >
            {header}
            {value === undefined ? (
              items.map((item) => (
                <Menu.Item key={item.id} onClick={() => select(item)} className="popup-item">
                  {item.icon}
                  {item.label}
                </Menu.Item>
              ))
            ) : (
              <Menu.RadioGroup
                value={value}
                onValueChange={(id) => items.find((item) => item.id === id)?.onSelect()}
              >
                {items.map((item) => (
                  <Menu.RadioItem key={item.id} value={item.id} closeOnClick className="popup-item">
                    {item.icon}
                    {item.label}
                  </Menu.RadioItem>
                ))}
              </Menu.RadioGroup>
            )}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
