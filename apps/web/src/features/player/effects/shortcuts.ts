import { limits } from '@escucho/contracts';
import type { PlayerEvent } from '../model/state.ts';

/** A key press; `key` as in `KeyboardEvent`. */
export interface KeyPress {
  key: string;
  shift: boolean;
}

export type Command = PlayerEvent | { type: 'help' } | { type: 'bookmark' };

const toggle: Command = { type: 'toggle' };
const back: Command = { type: 'skipBy', seconds: -limits.player.skipSeconds };
const forward: Command = { type: 'skipBy', seconds: limits.player.skipSeconds };

const SPEED_STEP = 0.1;

/** The message key of each action, and its commands by key. */
const actions = [
  { action: 'doPlayPause', commands: { space: toggle, k: toggle } },
  { action: 'doBack', commands: { j: back, '←': back } },
  { action: 'doForward', commands: { l: forward, '→': forward } },
  { action: 'doNext', commands: { '⇧ n': { type: 'next', removeFromContinue: true } } },
  { action: 'doPrevious', commands: { '⇧ p': { type: 'previous' } } },
  {
    action: 'doSentences',
    commands: { ',': { type: 'stepSentence', direction: -1 }, '.': { type: 'stepSentence', direction: 1 } },
  },
  { action: 'doLoop', commands: { r: { type: 'togglePractice', mode: 'loop' } } },
  {
    action: 'doSpeed',
    commands: { '<': { type: 'changeSpeed', by: -SPEED_STEP }, '>': { type: 'changeSpeed', by: SPEED_STEP } },
  },
  { action: 'doBookmark', commands: { b: { type: 'bookmark' } } },
  { action: 'doMute', commands: { m: { type: 'toggleMute' } } },
  { action: 'doHelp', commands: { '?': { type: 'help' } } },
] as const satisfies readonly { action: string; commands: Record<string, Command> }[];

/** The shortcuts in the order of the help dialog: keys, and the message key of their action (PLAY-07). */
export const shortcuts = actions.map(({ action, commands }) => ({ action, keys: Object.keys(commands) }));

const commandsByKey = new Map<string, Command>(actions.flatMap(({ commands }) => Object.entries(commands)));

const keyNames = new Map([
  [' ', 'space'],
  ['arrowleft', '←'],
  ['arrowright', '→'],
]);

/** Keyboard layouts differ in whether these characters need Shift. */
const characters = ['?', '<', '>', ',', '.'];

/**
 * Returns the command of a key press, or null.
 *
 * @param hasCharacterKeys - false where the user has turned off the shortcuts of one character (WCAG 2.1.4)
 */
export function findCommand({ key, shift }: KeyPress, hasCharacterKeys: boolean): Command | null {
  if (!hasCharacterKeys && /^\S$/u.test(key)) return null;
  const lowerCase = key.toLowerCase();
  const name = keyNames.get(lowerCase) ?? lowerCase;
  return commandsByKey.get(shift && !characters.includes(name) ? `⇧ ${name}` : name) ?? null;
}
