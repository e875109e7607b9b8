import { limits } from '@escucho/contracts';
import type { PlayerEvent } from './player-state.ts';

/** A key pressed, as the browser names it. */
export interface Press {
  key: string;
  shift: boolean;
}

export type Command = PlayerEvent | { type: 'help' };

const { skipSeconds } = limits.player;

/** The shortcuts, as the help sheet lists them: keys and the word of what they do (PLAY-07). */
export const shortcuts = [
  { keys: ['space', 'k'], does: 'doPlayPause' },
  { keys: ['j', '←'], does: 'doBack' },
  { keys: ['l', '→'], does: 'doForward' },
  { keys: ['⇧ n'], does: 'doNext' },
  { keys: ['⇧ p'], does: 'doPrevious' },
  { keys: ['m'], does: 'doMute' },
  { keys: ['?'], does: 'doHelp' },
] as const;

/** What a key asks for; null when it is none of ours. */
export function commandOf({ key, shift }: Press): Command | null {
  if (key === '?') return { type: 'help' };
  const letter = key.toLowerCase();
  if (shift) {
    if (letter === 'n') return { type: 'next', removeFromContinue: true };
    return letter === 'p' ? { type: 'previous' } : null;
  }
  switch (letter) {
    case ' ':
    case 'k':
      return { type: 'toggle' };
    case 'j':
    case 'arrowleft':
      return { type: 'skipBy', seconds: -skipSeconds };
    case 'l':
    case 'arrowright':
      return { type: 'skipBy', seconds: skipSeconds };
    case 'm':
      return { type: 'toggleMute' };
    default:
      return null;
  }
}
