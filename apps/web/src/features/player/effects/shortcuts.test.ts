import { describe, expect, it } from 'vitest';
import { findCommand, shortcuts } from './shortcuts.ts';

describe('shortcuts', () => {
  it.each([
    [' ', false, { type: 'toggle' }],
    ['k', false, { type: 'toggle' }],
    ['K', false, { type: 'toggle' }],
    ['j', false, { type: 'skipBy', seconds: -15 }],
    ['ArrowLeft', false, { type: 'skipBy', seconds: -15 }],
    ['l', false, { type: 'skipBy', seconds: 15 }],
    ['ArrowRight', false, { type: 'skipBy', seconds: 15 }],
    ['N', true, { type: 'next', removeFromContinue: true }],
    ['P', true, { type: 'previous' }],
    [',', false, { type: 'stepSentence', direction: -1 }],
    ['.', false, { type: 'stepSentence', direction: 1 }],
    // French keyboards.
    ['.', true, { type: 'stepSentence', direction: 1 }],
    ['r', false, { type: 'togglePractice', mode: 'loop' }],
    ['<', false, { type: 'changeSpeed', by: -0.1 }],
    ['>', true, { type: 'changeSpeed', by: 0.1 }],
    ['b', false, { type: 'bookmark' }],
    ['m', false, { type: 'toggleMute' }],
    ['?', true, { type: 'help' }],
    ['n', false, null],
    ['x', false, null],
    ['toString', false, null],
    ['B', true, null],
    ['ArrowRight', true, null],
  ] as const)('[PLAY-07] %j with shift %s', (key, shift, command) => {
    expect(findCommand({ key, shift }, true)).toEqual(command);
  });

  it('every listed key has a command', () => {
    const names: Record<string, string> = { space: ' ', '←': 'ArrowLeft', '→': 'ArrowRight' };
    for (const { keys } of shortcuts)
      for (const key of keys) {
        const plain = key.replace('⇧ ', '');
        expect(
          findCommand({ key: names[plain] ?? plain, shift: key.startsWith('⇧') }, true),
          key,
        ).not.toBeNull();
      }
  });
});
