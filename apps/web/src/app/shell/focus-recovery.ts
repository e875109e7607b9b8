import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation } from '#shared/location.tsx';

/** What can take the focus. Text fields cannot: on phones they would open the keyboard. */
const CONTROLS = ':is(a[href], button:enabled, select:enabled, [tabindex="0"])';
const GROUPS = 'fieldset, ul, ol, section, [role="group"]';

/** How long after its use a control may disappear, as a request takes time; milliseconds. */
const TIMEOUT_MS = 10_000;

/** The control that the user focused or pressed last, with what was around it at that time. */
interface LastControl {
  element: HTMLElement;
  usedAt: number;
  group: Element | null;
  /** All controls of the page, in the order of the document. */
  controls: readonly HTMLElement[];
}

const listControls = (root: Element) => [...root.querySelectorAll<HTMLElement>(CONTROLS)];

/**
 * Returns the controls that can take the focus of one that has disappeared, best first: that of the same name, what
 * follows in its group, what precedes it there, then what follows and precedes outside the group.
 */
function findReplacements({ element, group, controls }: LastControl, root: Element): HTMLElement[] {
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
 * Moves the focus of a control that disappears, such as Undo once it is pressed, or a row of a list that is rendered again
 * by code that has just loaded, to what has taken its place. Browsers drop it, so that the next Tab would start at the top
 * of the page.
 */
export function FocusRecovery({ main }: { main: RefObject<HTMLElement | null> }) {
  const { pathname } = useLocation();
  const last = useRef<LastControl>(null);
  // The focus goes to the heading of a new page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each page
  useLayoutEffect(() => {
    last.current = null;
  }, [pathname]);
  useEffect(() => {
    const root = main.current;
    if (!root) return;
    const remember = (event: Event) => {
      const element = event.target instanceof Element ? event.target.closest<HTMLElement>(CONTROLS) : null;
      // After a click of a mouse, which has a detail, the keys go on to control the player.
      const isByMouse = event instanceof MouseEvent && event.detail > 0;
      const usedAt = performance.now();
      last.current =
        element && root.contains(element) && !isByMouse
          ? { element, usedAt, group: element.closest(GROUPS), controls: listControls(root) }
          : null;
    };
    // A long list removes the rows that are scrolled out of view.
    const forgetRow = () => {
      if (last.current?.element.closest('[aria-posinset]')) last.current = null;
    };
    const recover = () => {
      const used = last.current;
      if (!used || used.element.isConnected || document.activeElement !== document.body) return;
      if (performance.now() - used.usedAt > TIMEOUT_MS) return;
      for (const control of findReplacements(used, root)) {
        control.focus({ preventScroll: true });
        // Hidden ones do not take it.
        if (document.activeElement === control) return;
      }
    };
    const observer = new MutationObserver(recover);
    observer.observe(root, { childList: true, subtree: true });
    const listeners = new AbortController();
    const options = { capture: true, signal: listeners.signal };
    for (const type of ['focusin', 'click', 'change']) document.addEventListener(type, remember, options);
    window.addEventListener('scroll', forgetRow, options);
    return () => {
      observer.disconnect();
      listeners.abort();
    };
  }, [main]);
  return null;
}
