import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/** What can take the focus. Text fields cannot: on phones they would open the keyboard. */
const CONTROLS = ':is(a[href], button:enabled, select:enabled, [tabindex="0"])';
const GROUPS = 'fieldset, ul, ol, section, [role="group"]';

/** The control that had the focus last, with what was around it at that time. */
interface FocusedControl {
  element: HTMLElement;
  group: Element | null;
  /** All controls of the page, in the order of the document. */
  controls: readonly HTMLElement[];
}

const listControls = (root: Element) => [...root.querySelectorAll<HTMLElement>(CONTROLS)];

/**
 * Returns the controls that can take the focus of a removed one, best first: that of the same name, what follows in its
 * group, what precedes it there, then what follows and precedes outside the group.
 */
function findReplacements({ element, group, controls }: FocusedControl, root: Element): HTMLElement[] {
  const current = listControls(root);
  const label = element.getAttribute('aria-label');
  const sameName = current.filter(
    (control) =>
      label !== null && control.tagName === element.tagName && control.getAttribute('aria-label') === label,
  );
  const previous = controls.slice(0, controls.indexOf(element)).findLast(({ isConnected }) => isConnected);
  const position = previous ? current.indexOf(previous) + 1 : 0;
  const neighbours = [...current.slice(position, position + 1), ...current.slice(position - 1, position)];
  const inGroup = neighbours.filter((control) => group?.contains(control));
  return [...sameName, ...inGroup, ...neighbours];
}

/**
 * Moves the focus of a control that is removed from the main element, such as Undo or Clear filters, to what has taken its
 * place. Browsers drop it, so that the next Tab would start at the top of the page.
 */
export function useFocusRecovery(main: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation();
  const last = useRef<FocusedControl>(null);
  // The focus goes to the heading of a new page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each page
  useLayoutEffect(() => {
    last.current = null;
  }, [pathname]);
  useEffect(() => {
    const root = main.current;
    if (!root) return;
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return;
      const isControl = target.matches(CONTROLS);
      last.current = isControl
        ? { element: target, group: target.closest(GROUPS), controls: listControls(root) }
        : null;
    };
    const recover = () => {
      const removed = last.current;
      if (!removed || removed.element.isConnected || document.activeElement !== document.body) return;
      for (const control of findReplacements(removed, root)) {
        control.focus({ preventScroll: true });
        // Hidden ones do not take it.
        if (document.activeElement === control) return;
      }
    };
    const observer = new MutationObserver(recover);
    observer.observe(root, { childList: true, subtree: true });
    root.addEventListener('focusin', remember);
    return () => {
      observer.disconnect();
      root.removeEventListener('focusin', remember);
    };
  }, [main]);
}
