import { describe, expect, it } from 'vitest';
import { gateFor } from './gate.ts';

describe('the gate', () => {
  it.each([
    [true, 'Stories', 0, 'open'],
    [true, 'Stories', 7, 'open'],
    [true, 'Latest articles', 0, 'open'],
    [false, 'Latest articles', 0, 'alone'],
    [false, 'The Latest', 0, 'alone'],
    [false, 'Latest articles', 1, 'closed'],
    [false, 'latest articles', 0, 'closed'],
    [false, 'Stories', 0, 'closed'],
    [false, 'Latest articles', -1, 'closed'],
  ] as const)('[PLAY-04] subscribed %s, source %s, item %i: %s', (isSubscribed, source, index, verdict) => {
    expect(gateFor(isSubscribed)({ source, index })).toBe(verdict);
  });
});
