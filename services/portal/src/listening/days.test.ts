import { describe, expect, it } from 'vitest';
import {
  countDaysInARow,
  createDateFormatter,
  getLastDays,
  getSecondsByDay,
  type ListeningEvent,
} from './statistics.ts';

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
      {
        device: 'phone',
        track: 'ferry',
        position: 0,
        cause: 'play',
        at: midnight - 40_000,
        secondsPlayed: null,
      },
      {
        device: 'phone',
        track: 'ferry',
        position: 60,
        cause: 'tick',
        at: midnight + 20_000,
        secondsPlayed: null,
      },
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
