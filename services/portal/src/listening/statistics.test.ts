import type { ProgressCause } from '@escucho/contracts';
import { describe, expect, it } from 'vitest';
import { type ListeningEvent, mergeRanges, toListeningRanges } from './statistics.ts';

const noon = Date.parse('2026-11-20T12:00:00Z');

type EventTuple = [
  second: number,
  cause: ProgressCause,
  position: number,
  device?: string,
  track?: string,
  secondsPlayed?: number,
];
const toEvents = (tuples: EventTuple[]): ListeningEvent[] =>
  tuples.map(([second, cause, position, device = 'phone', track = 'ferry', secondsPlayed = null]) => ({
    device,
    track,
    position,
    cause,
    at: noon + second * 1000,
    secondsPlayed,
  }));
const getSeconds = (entries: ListeningEvent[]) =>
  mergeRanges(toListeningRanges(entries)).reduce((sum, { from, to }) => sum + (to - from) / 1000, 0);

describe('toListeningRanges', () => {
  it.each<[string, number, EventTuple[]]>([
    [
      'from play to pause',
      12,
      [
        [0, 'play', 0],
        [5, 'tick', 5],
        [10, 'tick', 10],
        [12, 'pause', 12],
      ],
    ],
    [
      'not while paused',
      10,
      [
        [0, 'play', 0],
        [5, 'pause', 5],
        [60, 'play', 5],
        [65, 'ended', 10],
      ],
    ],
    [
      'to a skip',
      8,
      [
        [0, 'play', 0],
        [5, 'tick', 5],
        [8, 'skip', 8],
      ],
    ],
    [
      'nothing to a removal from Continue listening, hours later',
      100,
      [
        [0, 'play', 0],
        [96, 'tick', 96],
        [100, 'hide', 100],
        [7300, 'skip', 1300],
      ],
    ],
    [
      'while the page is hidden',
      10,
      [
        [0, 'play', 0],
        [4, 'hide', 4],
        [10, 'tick', 10],
      ],
    ],
    [
      'nothing for a seek forward',
      10,
      [
        [0, 'play', 0],
        [5, 'tick', 5],
        [5, 'seek', 500],
        [10, 'tick', 505],
      ],
    ],
    [
      'again what is heard again',
      15,
      [
        [0, 'play', 0],
        [10, 'tick', 10],
        [10, 'seek', 0],
        [15, 'tick', 5],
      ],
    ],
    [
      'no more than passed, where a seek was not told',
      5,
      [
        [0, 'play', 0],
        [5, 'tick', 900],
      ],
    ],
    [
      'nothing where only a seek back can explain it',
      5,
      [
        [0, 'play', 50],
        [5, 'tick', 55],
        [10, 'tick', 20],
      ],
    ],
    [
      'no more than was played, where the device slept',
      5,
      [
        [0, 'play', 0],
        [8 * 3600, 'tick', 5],
      ],
    ],
    [
      'the time it took at double speed',
      5,
      [
        [0, 'play', 0],
        [5, 'tick', 10],
      ],
    ],
    [
      'across entries that were never sent',
      290,
      [
        [10, 'tick', 10],
        [300, 'pause', 300],
      ],
    ],
    ['nothing for one entry', 0, [[0, 'tick', 5]]],
    [
      'nothing between two tracks',
      0,
      [
        [0, 'play', 0],
        [5, 'tick', 60, 'phone', 'door'],
      ],
    ],
    [
      'nothing while dragging about',
      0,
      [
        [0, 'pause', 9],
        [3, 'seek', 50],
        [6, 'seek', 90],
        [9, 'play', 90],
      ],
    ],
  ])('counts %s: %i s', (_name, seconds, events) => {
    expect(getSeconds(toEvents(events))).toBe(seconds);
  });

  it.each<[string, number, EventTuple[]]>([
    [
      'the time that slow audio took',
      10,
      [
        [0, 'play', 0],
        [10, 'tick', 5, 'phone', 'ferry', 10],
      ],
    ],
    [
      'a sentence that is repeated',
      12,
      [
        [0, 'play', 0, 'phone', 'ferry', 0],
        [4, 'tick', 4, 'phone', 'ferry', 4],
        [8, 'tick', 1, 'phone', 'ferry', 4],
        [12, 'pause', 2, 'phone', 'ferry', 4],
      ],
    ],
    [
      'the time before a seek and before a new start',
      6,
      [
        [0, 'play', 0, 'phone', 'ferry', 0],
        [3, 'seek', 900, 'phone', 'ferry', 3],
        [6, 'play', 0, 'phone', 'ferry', 3],
      ],
    ],
    [
      'no more than passed',
      5,
      [
        [0, 'play', 0, 'phone', 'ferry', 0],
        [5, 'tick', 5, 'phone', 'ferry', 3600],
      ],
    ],
    [
      'nothing that was not played, whatever the positions',
      0,
      [
        [0, 'tick', 0, 'phone', 'ferry', 0],
        [3600, 'pause', 900, 'phone', 'ferry', 0],
      ],
    ],
    ['nothing for a first entry', 0, [[0, 'tick', 5, 'phone', 'ferry', 3600]]],
  ])('counts %s, where the device reports the time played: %i s', (_name, seconds, events) => {
    expect(getSeconds(toEvents(events))).toBe(seconds);
  });

  it.each<[string, number, EventTuple[]]>([
    [
      'at once, the same track',
      10,
      [
        [0, 'play', 0],
        [10, 'tick', 10],
        [0, 'play', 0, 'desk'],
        [10, 'tick', 10, 'desk'],
      ],
    ],
    [
      'at once, another track',
      10,
      [
        [0, 'play', 0],
        [10, 'tick', 10],
        [0, 'play', 0, 'desk', 'door'],
        [10, 'tick', 10, 'desk', 'door'],
      ],
    ],
    [
      'overlapping by half',
      15,
      [
        [0, 'play', 0],
        [10, 'tick', 10],
        [5, 'play', 0, 'desk'],
        [15, 'tick', 10, 'desk'],
      ],
    ],
    [
      'one within the other',
      20,
      [
        [0, 'play', 0],
        [20, 'tick', 20],
        [5, 'play', 0, 'desk'],
        [9, 'tick', 4, 'desk'],
      ],
    ],
    [
      'one after the other',
      15,
      [
        [0, 'play', 0],
        [10, 'tick', 10],
        [60, 'play', 10, 'desk'],
        [65, 'tick', 15, 'desk'],
      ],
    ],
  ])('on two devices %s: %i s', (_name, seconds, events) => {
    expect(getSeconds(toEvents(events))).toBe(seconds);
  });
});
