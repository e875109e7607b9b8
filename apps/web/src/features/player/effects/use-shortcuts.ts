import { useEffect } from 'react';
import { dispatch } from '../engine/store.ts';
import { findCommand } from './shortcuts.ts';

const textFields =
  'input:not([type=range]), textarea, select, [contenteditable]:not([contenteditable=false])';
/** Elements that use the space bar. */
const pressables = 'button, a[href], summary, [role=tab]';
/** Elements that use the arrow keys. */
const arrowControls = 'input, [role=tablist]';
/** Elements in which a letter goes to the item that starts with it. */
const lists = '[role^=menu], [role=listbox]';

const isIn = (target: EventTarget | null, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null;

/** Commands that repeat while their key is held down. */
const repeatable: readonly string[] = ['skipBy', 'changeSpeed'];

/** Returns whether the focused element uses the key. */
function isUsedByTarget({ key, target }: KeyboardEvent): boolean {
  if (isIn(target, `${textFields}, ${lists}`)) return true;
  if (key === ' ') return isIn(target, pressables);
  return key.startsWith('Arrow') && isIn(target, arrowControls);
}

/**
 * Handles the player's keyboard shortcuts (PLAY-07).
 * @param callbacks - the handlers of commands that are not player events
 */
export function useShortcuts(callbacks: Readonly<Record<'help' | 'bookmark', () => void>>): void {
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isUsedByTarget(event))
        return;
      const command = findCommand({ key: event.key, shift: event.shiftKey });
      if (!command || (event.repeat && !repeatable.includes(command.type))) return;
      event.preventDefault();
      if (command.type === 'help' || command.type === 'bookmark') callbacks[command.type]();
      else dispatch(command);
    };
    addEventListener('keydown', handleKeyDown);
    return () => removeEventListener('keydown', handleKeyDown);
  }, [callbacks]);
}
