import { limits } from '@escucho/contracts';
import type { PlayerEvent } from '../model/state.ts';

/** A key press; `key` as in `KeyboardEvent`. */
export interface KeyPress {
  key: string;
  shift: boolean;
}

export type Command = PlayerEvent | { type: 'help' } | { type: 'bookmark' };

const { skipSeconds } = limits.player;

/** The shortcuts in the order of the help dialog: keys, and the message key of their action (PLAY-07). */
export const shortcuts = [
  { keys: ['space', 'k'], action: 'doPlayPause' },
  { keys: ['j', '←'], action: 'doBack' },
  { keys: ['l', '→'], action: 'doForward' },
  { keys: ['⇧ n'], action: 'doNext' },
  { keys: ['⇧ p'], action: 'doPrevious' },
  { keys: [',', '.'], action: 'doSentences' },
  { keys: ['r'], action: 'doLoop' },
  { keys: ['<', '>'], action: 'doSpeed' },
  { keys: ['b'], action: 'doBookmark' },
  { keys: ['m'], action: 'doMute' },
  { keys: ['?'], action: 'doHelp' },
] as const;

const SPEED_STEP = 0.1;

/** Commands regardless of Shift, because keyboard layouts differ in whether these characters need it. */
const characterCommands = new Map<string, Command>([
  ['?', { type: 'help' }],
  ['<', { type: 'changeSpeed', by: -SPEED_STEP }],
  ['>', { type: 'changeSpeed', by: SPEED_STEP }],
]);

const shiftCommands = new Map<string, Command>([
  ['n', { type: 'next', removeFromContinue: true }],
  ['p', { type: 'previous' }],
]);

const keyCommands = new Map<string, Command>([
  [' ', { type: 'toggle' }],
  ['k', { type: 'toggle' }],
  ['j', { type: 'skipBy', seconds: -skipSeconds }],
  ['arrowleft', { type: 'skipBy', seconds: -skipSeconds }],
  ['l', { type: 'skipBy', seconds: skipSeconds }],
  ['arrowright', { type: 'skipBy', seconds: skipSeconds }],
  [',', { type: 'stepSentence', direction: -1 }],
  ['.', { type: 'stepSentence', direction: 1 }],
  ['r', { type: 'togglePractice', mode: 'loop' }],
  ['b', { type: 'bookmark' }],
  ['m', { type: 'toggleMute' }],
]);

/** Returns the command of a key press, or null. */
export const findCommand = ({ key, shift }: KeyPress): Command | null =>
  characterCommands.get(key) ?? (shift ? shiftCommands : keyCommands).get(key.toLowerCase()) ?? null;
