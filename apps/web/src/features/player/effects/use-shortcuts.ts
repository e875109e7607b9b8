import { useEffect } from 'react';
import { dispatch } from '../engine/events.ts';
import { findCommand } from './shortcuts.ts';

const typing = 'input:not([type=range]), textarea, select, [contenteditable]:not([contenteditable=false])';
/** What has a use of its own for the space bar. */
const pressable = 'button, a[href], summary, [role=tab]';
/** What has a use of its own for arrows. */
const steerable = 'input, [role=tablist]';
/** Where a letter goes to what begins with it. */
const listed = '[role^=menu], [role=listbox]';

const isIn = (target: EventTarget | null, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null;

/** What a key that is held down does on and on. */
const steps: readonly string[] = ['skipBy', 'changeSpeed'];

/** Whether the key belongs to what has the focus: a field being typed in, a button, a slider. */
function isTaken({ key, target }: KeyboardEvent): boolean {
  if (isIn(target, `${typing}, ${listed}`)) return true;
  if (key === ' ') return isIn(target, pressable);
  return key.startsWith('Arrow') && isIn(target, steerable);
}

/** Keyboard shortcuts of the player (PLAY-07). In: what is done for those that are none of the player's own. */
export function useShortcuts(others: Readonly<Record<'help' | 'bookmark', () => void>>): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTaken(event)) return;
      const command = findCommand({ key: event.key, shift: event.shiftKey });
      if (!command || (event.repeat && !steps.includes(command.type))) return;
      event.preventDefault();
      if (command.type === 'help' || command.type === 'bookmark') others[command.type]();
      else dispatch(command);
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [others]);
}
