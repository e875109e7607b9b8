import { useEffect, useRef } from 'react';

const turns: Record<string, 1 | -1> = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 };
/** What has a use of its own for these keys. */
const steerable =
  'input, textarea, select, dialog, [role^=menu], [contenteditable]:not([contenteditable=false])';

/** Arrow and page keys turn pages while a book is open; they are not the player's then. In: what turns so many pages. */
export function useTurningKeys(turn: (pages: 1 | -1) => void): void {
  const latest = useRef(turn);
  useEffect(() => {
    latest.current = turn;
  });
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const pages = turns[event.key];
      const { target } = event;
      if (!pages || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (target instanceof Element && target.closest(steerable)) return;
      event.preventDefault();
      latest.current(pages);
    };
    // Before the player's own shortcuts, which leave alone what was taken.
    addEventListener('keydown', pressed, { capture: true });
    return () => removeEventListener('keydown', pressed, { capture: true });
  }, []);
}
