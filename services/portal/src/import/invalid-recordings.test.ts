import { randomBytes } from 'node:crypto';
import { open, stat, symlink, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { missingFfmpeg, startImportTest, testMetadata } from '../testing/imports.ts';
import { copyRecording, readUniqueRecording, write } from '../testing/recordings.ts';
import type { ImportResult } from './importer.ts';

const { folder, scratchFolder, runImport, reset, findTitles, listStoredFiles } = await startImportTest();

/** A PNG that claims 100,000 by 100,000 pixels. */
const pictureBomb = Buffer.from(
  '89504e470d0a1a0a0000000d49484452000186a0000186a008020000002b0b0a730000000049454e44ae426082',
  'hex',
);
const hugeTag = Buffer.concat([Buffer.from('ID3\u0004\u0000\u0000', 'latin1'), Buffer.from([0x10, 0, 0, 0])]);

/** Prepares a case in a folder of its own. */
type Prepare = (folder: string) => Promise<unknown>;

/** Writes a valid recording bad.mp3, different in every folder, and a file beside it. */
const withSidecar =
  (name: string, content: string | Buffer): Prepare =>
  async (folder) => {
    await write(folder, 'bad.mp3', await readUniqueRecording(folder));
    await write(folder, name, content);
  };

/** Writes a file and extends it with a hole to a size. */
const sparseFile =
  (name: string, content: string | Buffer, size: number): Prepare =>
  async (folder) => {
    await write(folder, name, content);
    await truncate(join(folder, name), size);
  };

async function writeFlacOfPictures(folder: string): Promise<void> {
  await write(folder, 'bad.flac', 'fLaC');
  const file = await open(join(folder, 'bad.flac'), 'r+');
  const block = Buffer.from([6, 0xff, 0xff, 0xff]);
  for (let n = 0; n < 7; n += 1) await file.write(block, 0, 4, 4 + n * (4 + 0xffffff));
  await file.truncate(7 * 2 ** 24);
  await file.close();
}

// With the folder of the case one level deeper than allowed.
const tooDeep = Array.from({ length: 12 }, () => 'in');

/** Folders whose names PostgreSQL cannot compress. */
const longNames = Array.from({ length: 11 }, () => randomBytes(180).toString('base64url'));

/** Title, path of the failed file, reason, preparation. */
const cases: readonly (readonly [string, string, RegExp, Prepare])[] = [
  ['a text file', 'bad.mp3', /no audio/, (to) => write(to, 'bad.mp3', 'this is only text')],
  ['an empty file', 'bad.mp3', /empty/, (to) => write(to, 'bad.mp3', '')],
  ['tags that would fill the memory', 'bad.mp3', /tags/, (to) => write(to, 'bad.mp3', hugeTag)],
  ['audio of 3 GB', 'bad.mp3', /larger than 2 GB/, sparseFile('bad.mp3', 'ID3', 3 * 2 ** 30)],
  [
    'an MP4 with huge tables',
    'bad.m4a',
    /tags|no audio|ffmpeg/,
    (to) => write(to, 'bad.m4a', Buffer.from('0000000866747970ffffffff6d6f6f76', 'hex')),
  ],
  [
    'an MP4 with huge tables and 64-bit lengths',
    'bad.m4a',
    /tags|ffmpeg/,
    sparseFile('bad.m4a', Buffer.from('0000000866747970000000016d6f6f760000000010000000', 'hex'), 2 ** 28),
  ],
  [
    'an MP4 of countless chunks',
    'bad.m4a',
    /more parts than any recording/,
    (to) => write(to, 'bad.m4a', Buffer.from(`0000000866747970${'0000000866726565'.repeat(100_001)}`, 'hex')),
  ],
  [
    'a WAV of tags',
    'bad.wav',
    /tags/,
    sparseFile('bad.wav', Buffer.from('RIFF\0\0\0\x08WAVEid3 \0\0\0\x07', 'latin1'), 2 ** 27),
  ],
  ['a FLAC of pictures', 'bad.flac', /tags/, writeFlacOfPictures],
  [
    'a link out of the folder',
    'bad.mp3',
    /link out/,
    async (to) => {
      await write(to, '.hidden', '');
      await symlink('/etc/passwd', join(to, 'bad.mp3'));
    },
  ],
  [
    'a recording in too many folders',
    tooDeep.join('/'),
    /too deep/,
    (to) => copyRecording('constant.mp3', join(to, ...tooDeep, 'bad.mp3')),
  ],
  [
    'a recording with a path that no index takes',
    join(...longNames, 'bad.mp3'),
    /path that is too long/,
    (to) => copyRecording('constant.mp3', join(to, ...longNames, 'bad.mp3')),
  ],
  ['an archive', 'bad.zip', /archive/, (to) => write(to, 'bad.zip', 'PK')],
  ['an unsupported format', 'bad.wma', /not read: make an MP3/, (to) => write(to, 'bad.wma', '0&')],
  ['subtitles without audio', 'bad.vtt', /belongs to no audio/, (to) => write(to, 'bad.vtt', 'WEBVTT')],
  ['a text that is not UTF-8', 'bad.mp3', /UTF-8/, withSidecar('bad.md', Buffer.from([0x2d, 0xff, 0xfe]))],
  ['a text of 2.2 MB', 'bad.mp3', /larger than 2 MB/, withSidecar('bad.md', 'a '.repeat(1_100_000))],
  [
    'invalid front matter',
    'bad.mp3',
    /its front matter cannot be read: Nested mappings .* at line 3, column 8$/,
    withSidecar('bad.md', '---\nlevel: A2\ntitle: The end: a tale\n---\nText.'),
  ],
  ['front matter without its end', 'bad.mp3', /no end/, withSidecar('bad.md', '---\nlevel: A2\n\nText.')],
  [
    'a list in front matter',
    'bad.mp3',
    /its level must be one value/,
    withSidecar('bad.md', '---\nlevel: [A2, B1]\n---\nText.'),
  ],
  [
    'front matter with YAML aliases',
    'bad.mp3',
    /front matter/,
    withSidecar('bad.md', '---\na: &a [x]\nb: [*a, *a]\n---\nText.'),
  ],
  [
    'an unknown level',
    'bad.mp3',
    /its level is not usable \(A1/,
    withSidecar('bad.md', '---\nlevel: Z9\n---\nText.'),
  ],
  [
    'an unknown language',
    'bad.mp3',
    /its language is not usable/,
    withSidecar('bad.md', '---\nlanguage: xx\n---\nText.'),
  ],
  ['a visual book', 'bad.mp3', /visual book/, withSidecar('bad.md', '---\nkind: visual-book\n---\nText.')],
  [
    'a script in the title',
    'bad.mp3',
    /title: holds a script/,
    withSidecar('bad.md', '---\ntitle: <script>alert(1)</script>\n---\nText.'),
  ],
  [
    'markup in the title',
    'bad.mp3',
    /title holds markup/,
    withSidecar('bad.md', '---\ntitle: <b>Bold</b>\n---\nText.'),
  ],
  [
    'a script in the summary',
    'bad.mp3',
    /summary: holds a script/,
    withSidecar('bad.md', '---\nsummary: <img src=x onerror=alert(1)>\n---\nText.'),
  ],
  [
    'a script in the text',
    'bad.mp3',
    /its text: holds a script/,
    withSidecar('bad.md', 'Hello.\n\n<iframe src="https://evil.example"></iframe>'),
  ],
  [
    'a script in the transcript',
    'bad.mp3',
    /its transcript: holds a script/,
    withSidecar('bad.vtt', 'WEBVTT\n\n00:00.000 --> 00:01.000\n<script>x</script>'),
  ],
  ['a transcript without times', 'bad.mp3', /no words with times/, withSidecar('bad.srt', 'Only words.')],
  ['a transcript that is not JSON', 'bad.mp3', /not JSON/, withSidecar('bad.json', '{"segments":')],
  [
    'a transcript of another schema',
    'bad.mp3',
    /no segments/,
    withSidecar('bad.json', '{"segments":[{"at":1}]}'),
  ],
  [
    'a transcript of another recording',
    'bad.mp3',
    /goes on after/,
    withSidecar('bad.srt', '1\n00:10:00,000 --> 00:10:01,000\nHello.'),
  ],
  [
    'an SVG picture with a script',
    'bad.mp3',
    /picture is not/,
    withSidecar('bad.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
  ],
  [
    'an SVG picture named PNG',
    'bad.mp3',
    /picture is not/,
    withSidecar('bad.png', '<svg onload="alert(1)"/>'),
  ],
  ['a decompression bomb', 'bad.mp3', /picture cannot be read/, withSidecar('bad.png', pictureBomb)],
  [
    'a damaged picture',
    'bad.mp3',
    /picture cannot be read/,
    withSidecar('bad.jpg', Buffer.from('ffd8ffe000104a464946', 'hex')),
  ],
  [
    'a text of unclosed tags',
    'bad.mp3',
    /holds a script/,
    withSidecar('bad.md', `${'<'.repeat(1_000_000)}<a onclick=x`),
  ],
  [
    'a text of nested quotes',
    'bad.mp3',
    /its text: .*without an end/,
    withSidecar('bad.md', '>'.repeat(100_000)),
  ],
  [
    'a title of 400 characters',
    'bad.mp3',
    /its title is not usable/,
    withSidecar('bad.md', `---\ntitle: ${'a'.repeat(400)}\n---\nText.`),
  ],
];

describe('[CAT-10] importing a folder with invalid recordings', () => {
  const toFolderName = (index: number) => `case-${String(index).padStart(2, '0')}`;
  let result: ImportResult;
  let newFiles: string[] = [];

  beforeAll(async () => {
    for (const [index, [, , , prepare]] of cases.entries()) await prepare(join(folder, toFolderName(index)));
    await write(folder, 'good.mp3', await readUniqueRecording('good'));
    const before = await listStoredFiles();
    result = await runImport();
    newFiles = (await listStoredFiles()).filter((name) => !before.includes(name) && name.includes('.'));
  });

  it.each(cases.map(([title, path, reason], index) => [title, { path, reason, index }] as const))(
    'reports %s with the reason',
    (_title, { path, reason, index }) => {
      const name = `${toFolderName(index)}/${path}`;
      const failures = result.failed.filter((failure) => failure.name.startsWith(`${toFolderName(index)}/`));
      expect(failures).toEqual([{ name, reason: expect.stringMatching(reason) }]);
    },
  );

  it('imports the valid one and leaves nothing of the others behind', async () => {
    expect(result.failed).toHaveLength(cases.length);
    expect(result.added).toEqual([{ slug: expect.any(String), title: 'Three tones' }]);
    expect(await findTitles()).toEqual(['Three tones']);
    // Audio and two pictures of the valid recording.
    expect(newFiles).toHaveLength(3);
    expect(await stat(scratchFolder).catch(() => undefined)).toBeUndefined();
  });
});

describe('[CAT-10] importing a recording without metadata', () => {
  it.each([
    ['language', /its language is missing \(en or es\).*--language/],
    ['level', /its level is missing.*--level/],
    ['topic', /its topic is missing.*--topic/],
  ])('reports the missing %s', async (name, reason) => {
    await reset();
    await copyRecording('constant.mp3', join(folder, 'tones.mp3'));
    const { failed } = await runImport({ metadata: { ...testMetadata, [name]: undefined } });
    expect(failed).toEqual([{ name: 'tones.mp3', reason: expect.stringMatching(reason) }]);
  });

  it('reports all missing and invalid fields at once', async () => {
    await reset();
    await copyRecording('constant.mp3', join(folder, 'tones.mp3'));
    await write(folder, 'tones.md', '---\nlevel: Z9\n---\nText.');
    await write(folder, 'complete.mp3', await readUniqueRecording('complete'));
    await write(folder, 'complete.md', '---\nlanguage: en\nlevel: B1\ntopic: travel\n---\nText.');
    const { added, failed } = await runImport({ metadata: {}, ffmpeg: missingFfmpeg });
    expect(failed).toEqual([
      {
        name: 'tones.mp3',
        reason:
          'its language is missing (en or es); its level is not usable (A1, A2, B1, B2, C1 or C2); ' +
          'its topic is missing (a word): write that into its front matter, or say --language --level --topic',
      },
    ]);
    expect(added).toHaveLength(1);
  });
});
