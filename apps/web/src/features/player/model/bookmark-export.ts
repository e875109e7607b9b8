import type { BookmarkEntry } from '@escucho/contracts';

/** The texts of an export in the user's language, and the address that plays from a bookmark. */
export interface ExportOptions {
  title: string;
  columns: Record<'title' | 'language' | 'level' | 'time' | 'note' | 'sentence' | 'created' | 'link', string>;
  formatTime: (seconds: number) => string;
  getLink: (entry: BookmarkEntry) => string;
}

const escapeMarkdown = (text: string): string => text.replace(/[\\`*_[\]<>#|~]/g, '\\$&');

/** Returns the entries by track, in the order of the first entry of each; those of a track by position. */
function groupByTrack(entries: readonly BookmarkEntry[]): BookmarkEntry[][] {
  const groups = new Map<string, BookmarkEntry[]>();
  for (const entry of entries) groups.set(entry.track._id, [...(groups.get(entry.track._id) ?? []), entry]);
  return [...groups.values()].map((group) =>
    group.toSorted((one, other) => one.bookmark.position - other.bookmark.position),
  );
}

/** Returns bookmarks as a Markdown document: a heading for each track, an item with its link for each bookmark. */
export function toMarkdown(
  entries: readonly BookmarkEntry[],
  { title, formatTime, getLink }: ExportOptions,
): string {
  const toItem = (entry: BookmarkEntry) => {
    const { bookmark, sentence } = entry;
    const note = bookmark.note && ` ${escapeMarkdown(bookmark.note)}`;
    const quote = sentence === null ? '' : `\n  > ${escapeMarkdown(sentence)}`;
    return `- [${formatTime(bookmark.position)}](${getLink(entry)})${note}${quote}`;
  };
  const sections = groupByTrack(entries).map((group) => {
    const heading = escapeMarkdown(group[0]?.track.title ?? '');
    return `## ${heading}\n\n${group.map(toItem).join('\n')}\n`;
  });
  return [`# ${title}\n`, ...sections].join('\n');
}

/**
 * Spreadsheets run a text as a formula that starts so; an apostrophe keeps it a text. Where the decimal separator is a comma,
 * as in Spain, they divide lines at semicolons, and a semicolon in a text starts a cell.
 */
const formulaStarts = /(^|;)(?="*[=+\-@\t\r])/g;

/** Returns a value as a field of RFC 4180. */
function toField(text: string): string {
  const plain = text.replace(formulaStarts, "$1'");
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/** Spreadsheets take a file for UTF-8 by it. */
const BYTE_ORDER_MARK = '\uFEFF';

/** Returns bookmarks as comma-separated values (RFC 4180), one a row, with a header. */
export function toCsv(
  entries: readonly BookmarkEntry[],
  { columns, formatTime, getLink }: ExportOptions,
): string {
  const rows = entries.map((entry) => {
    const { bookmark, track, sentence } = entry;
    const { title, language, level } = track;
    const time = formatTime(bookmark.position);
    return [title, language, level, time, bookmark.note, sentence ?? '', bookmark.createdAt, getLink(entry)];
  });
  const { title, language, level, time, note, sentence, created, link } = columns;
  const header = [title, language, level, time, note, sentence, created, link];
  return BYTE_ORDER_MARK + [header, ...rows].map((row) => `${row.map(toField).join(',')}\r\n`).join('');
}
