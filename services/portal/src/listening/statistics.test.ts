import type { ProgressCause } from '@escucho/contracts';
import { describe, expect, it } from 'vitest';
import {
  countDaysInARow,
  createDateFormatter,
  getLastDays,
  getSecondsByDay,
  type ListeningEvent,
  mergeRanges,
  toListeningRanges,
} from './statistics.ts';

const noon = Date.parse('2026-11-20T12:00:00Z');

type EventTuple = [second: number, cause: ProgressCause, position: number, device?: string, track?: string];
const toEvents = (tuples: EventTuple[]): ListeningEvent[] =>
  tuples.map(([second, cause, position, device = 'phone', track = 'ferry']) => ({
    device,
    track,
    position,
    cause,
    at: noon + second * 1000,
  }));
const getSeconds = (entries: ListeningEvent[]) =>
  mergeRanges(toListeningRanges(entries)).reduce((sum, { from, to }) => sum + (to - from) / 1000, 0);

describe('getSecondsByDay', () => {
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

describe('days', () => {
  const days = (zone: string, now: string, count = 3) =>
    getLastDays(count, Date.parse(now), createDateFormatter(zone)).map(({ date, from, to }) => [
      date,
      new Date(from).toISOString(),
      (to - from) / 3_600_000,
    ]);

  it.each([
    ['UTC', '2026-11-20T12:00:00Z', ['2026-11-20', '2026-11-20T00:00:00.000Z', 24]],
    ['America/Lima', '2026-11-20T04:59:59Z', ['2026-11-19', '2026-11-19T05:00:00.000Z', 24]],
    ['America/Lima', '2026-11-20T05:00:00Z', ['2026-11-20', '2026-11-20T05:00:00.000Z', 24]],
    ['Asia/Kathmandu', '2026-11-20T18:15:00Z', ['2026-11-21', '2026-11-20T18:15:00.000Z', 24]],
    ['Pacific/Kiritimati', '2026-11-20T10:00:00Z', ['2026-11-21', '2026-11-20T10:00:00.000Z', 24]],
    ['Pacific/Pago_Pago', '2026-11-20T10:59:00Z', ['2026-11-19', '2026-11-19T11:00:00.000Z', 24]],
    ['Europe/Madrid, clocks forward', '2026-03-29T12:00:00Z', ['2026-03-29', '2026-03-28T23:00:00.000Z', 23]],
    ['Europe/Madrid, clocks back', '2026-10-25T12:00:00Z', ['2026-10-25', '2026-10-24T22:00:00.000Z', 25]],
    [
      'Asia/Beirut, without a midnight',
      '2026-03-29T12:00:00Z',
      ['2026-03-29', '2026-03-28T22:00:00.000Z', 23],
    ],
  ])('[SUB-07] today in %s at %s', (zone, now, today) => {
    expect(days(zone.split(',')[0] ?? '', now).at(-1)).toEqual(today);
  });

  it('[SUB-07] are consecutive across months and clock changes', () => {
    const all = getLastDays(30, Date.parse('2026-04-10T12:00:00Z'), createDateFormatter('America/Santiago'));
    expect([all.length, all[0]?.date, all.at(-1)?.date]).toEqual([30, '2026-03-12', '2026-04-10']);
    for (const [index, { from }] of all.entries()) if (index > 0) expect(from).toBe(all[index - 1]?.to);
  });

  it('[SUB-07] split listening across midnight', () => {
    const midnight = Date.parse('2026-11-20T05:00:00Z');
    const entries: ListeningEvent[] = [
      { device: 'phone', track: 'ferry', position: 0, cause: 'play', at: midnight - 40_000 },
      { device: 'phone', track: 'ferry', position: 60, cause: 'tick', at: midnight + 20_000 },
    ];
    const dateAt = createDateFormatter('America/Lima');
    expect(getSecondsByDay(entries, getLastDays(3, midnight + 60_000, dateAt))).toEqual([
      { date: '2026-11-18', seconds: 0 },
      { date: '2026-11-19', seconds: 40 },
      { date: '2026-11-20', seconds: 20 },
    ]);
  });
});

describe('days in a row', () => {
  it.each([
    ['none', [], 0],
    ['today only', ['2026-11-20'], 1],
    ['yesterday, and today is still silent', ['2026-11-18', '2026-11-19'], 2],
    ['up to today', ['2026-11-18', '2026-11-19', '2026-11-20'], 3],
    ['broken the day before', ['2026-11-16', '2026-11-17', '2026-11-19', '2026-11-20'], 2],
    ['over the day before yesterday', ['2026-11-17', '2026-11-18'], 0],
    ['over the end of a month', ['2026-10-31', '2026-11-01'], 0],
  ])('[SUB-07] %s', (_name, dates, count) => {
    expect(countDaysInARow(new Set(dates), '2026-11-20')).toBe(count);
  });

  it('[SUB-07] continue across months and years', () => {
    const dates = new Set(['2026-12-30', '2026-12-31', '2027-01-01', '2027-01-02']);
    expect(countDaysInARow(dates, '2027-01-02')).toBe(4);
  });
});
