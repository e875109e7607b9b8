import { limits } from '@escucho/contracts';
import type { PlayerEvent } from '../model/state.ts';

/** A key pressed, as the browser names it. */
export interface KeyPress {
  key: string;
  shift: boolean;
}

export type Command = PlayerEvent | { type: 'help' } | { type: 'bookmark' };

const { skipSeconds } = limits.player;

/** The shortcuts, as the help sheet lists them: keys and the word of what they do (PLAY-07). */
export const shortcuts = [
  { keys: ['space', 'k'], does: 'doPlayPause' },
  { keys: ['j', '←'], does: 'doBack' },
  { keys: ['l', '→'], does: 'doForward' },
  { keys: ['⇧ n'], does: 'doNext' },
  { keys: ['⇧ p'], does: 'doPrevious' },
  { keys: [',', '.'], does: 'doSentences' },
  { keys: ['r'], does: 'doLoop' },
  { keys: ['<', '>'], does: 'doSpeed' },
  { keys: ['b'], does: 'doBookmark' },
  { keys: ['m'], does: 'doMute' },
  { keys: ['?'], does: 'doHelp' },
] as const;

const speedStep = 0.1;

/** What keys ask for that are the same with and without shift: which of the two types them differs from keyboard to keyboard. */
const signs = new Map<string, Command>([
  ['?', { type: 'help' }],
  ['<', { type: 'changeSpeed', by: -speedStep }],
  ['>', { type: 'changeSpeed', by: speedStep }],
]);

const shifted = new Map<string, Command>([
  ['n', { type: 'next', removeFromContinue: true }],
  ['p', { type: 'previous' }],
]);

const plain = new Map<string, Command>([
  [' ', { type: 'toggle' }],
  ['k', { type: 'toggle' }],
  ['j', { type: 'skipBy', seconds: -skipSeconds }],
  ['arrowleft', { type: 'skipBy', seconds: -skipSeconds }],
  ['l', { type: 'skipBy', seconds: skipSeconds }],
  ['arrowright', { type: 'skipBy', seconds: skipSeconds }],
  [',', { type: 'stepSentence', way: -1 }],
  ['.', { type: 'stepSentence', way: 1 }],
  ['r', { type: 'togglePractice', drill: 'loop' }],
  ['b', { type: 'bookmark' }],
  ['m', { type: 'toggleMute' }],
]);

/** What a key asks for; null when it is none of ours. */
export const findCommand = ({ key, shift }: KeyPress): Command | null =>
  signs.get(key) ?? (shift ? shifted : plain).get(key.toLowerCase()) ?? null;
