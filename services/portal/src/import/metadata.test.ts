import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFolder } from '@escucho/database/testing';
import { describe, expect, it, vi } from 'vitest';
import { getRecordingPath } from '../testing/recordings.ts';
import { parseMetadata, readTags } from './metadata.ts';

const metadata = { title: 'A tone', language: 'en', level: 'B1', topic: 'science', narrator: 'Ada' };

describe.each(['Europe/Madrid', 'America/Lima'])('[CAT-10] the date of a recording, in %s', (zone) => {
  it.each([
    ['2024', '2024-01-01'],
    ['2024-03', '2024-03-01'],
    ['2024-03-09', '2024-03-09'],
    ['20240309', '2024-03-09'],
    ['2024-03-09 23:30:00', '2024-03-09'],
    ['2024-03-09T00:30:00+02:00', '2024-03-09'],
    ['2024-03-09T23:30:00.000Z', '2024-03-09'],
    ['5 Jan 2024', '2024-01-05'],
    ['Friday, 5 January 2024', '2024-01-05'],
    ['Sat, 09 Mar 2024 00:30:00 +0100', '2024-03-09'],
    ['Sat, 9 mar 24 23:30 GMT', '2024-03-09'],
    ['29 Feb 2024', '2024-02-29'],
    ['1 Dec 99', '1999-12-01'],
  ])('is the day that is written: %s', (published, expected) => {
    vi.stubEnv('TZ', zone);
    expect(parseMetadata({ ...metadata, published }).published).toBe(expected);
  });

  it.each([
    ...['05/01/2024', '1.2.2024', 'Chapter 1', '2024-02-31', '20241301', '5 Foo 2024', '12'],
    ...['00 Jan 2024', '32 Jan 2024', '31 Feb 2024', 'Thu, 29 Feb 23 08:00:00 GMT'],
  ])('is refused: %s', (published) => {
    vi.stubEnv('TZ', zone);
    expect(() => parseMetadata({ ...metadata, published })).toThrow(
      /its published is not usable \(YYYY-MM-DD, a month or a year\)$/,
    );
  });
});

describe('[CAT-10] a long summary', () => {
  it.each([
    ['between words', 'word '.repeat(300), /^(word )+…$/],
    ['between characters where there is no space', `x${'🎧'.repeat(600)}`, /^x🎧+ …$/u],
  ])('is cut %s', (_, summary, expected) => {
    expect(parseMetadata({ ...metadata, published: '2024', summary }).summary).toMatch(expected);
  });
});

describe('[CAT-10] the date of a tag', async () => {
  const folder = await createFolder();
  const recording = await readFile(getRecordingPath('constant.mp3'));
  const frames = recording.subarray(recording.indexOf('Info') - 13);

  it.each([
    ['20240309', '2024-03-09'],
    ['2024-03-09 08:00', '2024-03-09'],
    ['05/01/2024', undefined],
    ['Chapter 1', undefined],
    ['32 Jan 2024', undefined],
  ])('is ignored unless it can be read: %s', async (date, expected) => {
    const frame = Buffer.from(`TDRC\0\0\0${String.fromCharCode(date.length + 1)}\0\0\x03${date}`, 'latin1');
    const header = Buffer.from([...Buffer.from('ID3'), 4, 0, 0, 0, 0, 0, frame.length]);
    await writeFile(join(folder, 'tones.mp3'), Buffer.concat([header, frame, frames]));
    expect((await readTags(join(folder, 'tones.mp3'))).metadata.published).toBe(expected);
  });
});
