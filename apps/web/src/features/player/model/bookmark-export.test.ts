import type { BookmarkEntry } from '@escucho/contracts';
import { expect, it } from 'vitest';
import { buildTrack, toId } from '../testing/fixtures.ts';
import { type ExportOptions, toCsv, toMarkdown } from './bookmark-export.ts';

const buildEntry = (
  number: number,
  position: number,
  note: string,
  sentence: string | null = null,
): BookmarkEntry => ({
  bookmark: {
    _id: toId(number * 100 + position),
    track: toId(number),
    position,
    note,
    createdAt: '2026-11-20T09:00:00.000Z',
  },
  track: buildTrack(number),
  sentence,
});

const options: ExportOptions = {
  title: 'Bookmarks and notes',
  columns: {
    title: 'Title',
    language: 'Language',
    level: 'Level',
    time: 'Time',
    note: 'Note',
    sentence: 'Sentence',
    created: 'Saved',
    link: 'Link',
  },
  formatTime: (seconds) => `0:${seconds}`,
  getLink: ({ bookmark }) => `https://x.test/${Number(bookmark.track.slice(-4))}?at=${bookmark.position}`,
};

it('Markdown has a heading for each track, and its bookmarks by position with links', () => {
  const entries = [buildEntry(1, 50, 'later'), buildEntry(2, 10, '', 'He *said* it.'), buildEntry(1, 20, '')];
  expect(toMarkdown(entries, options)).toBe(
    [
      '# Bookmarks and notes',
      '',
      '## Track 1',
      '',
      '- [0:20](https://x.test/1?at=20)',
      '- [0:50](https://x.test/1?at=50) later',
      '',
      '## Track 2',
      '',
      '- [0:10](https://x.test/2?at=10)',
      '  > He \\*said\\* it.',
      '',
    ].join('\n'),
  );
});

it('Markdown without bookmarks has the title only', () => {
  expect(toMarkdown([], options)).toBe('# Bookmarks and notes\n');
});

it.each([
  ['a plain note', 'plain', 'plain'],
  ['a comma', 'one, two', '"one, two"'],
  ['quotes', 'the "one"', '"the ""one"""'],
  ['a formula', '=SUM(A1)', "'=SUM(A1)"],
  ['a formula with a comma', '@a,b', '"\'@a,b"'],
  ['formulas after semicolons', 'one;=A1;-1; two', "one;'=A1;'-1; two"],
  ['a quoted formula after a semicolon', 'one;"=A1', '"one;\'""=A1"'],
  ['accents', 'mañana', 'mañana'],
])('CSV keeps %s as one field', (_, note, field) => {
  const [header, row, ...rest] = toCsv([buildEntry(1, 50, note, 'Hi.')], options).split('\r\n');
  expect(header).toBe('\uFEFFTitle,Language,Level,Time,Note,Sentence,Saved,Link');
  expect(row).toBe(`Track 1,en,B1,0:50,${field},Hi.,2026-11-20T09:00:00.000Z,https://x.test/1?at=50`);
  expect(rest).toEqual(['']);
});
