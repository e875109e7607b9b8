import {
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { api } from '@escucho/contracts';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { startPortal } from '../testing/portal.ts';
import { markdown, picture, place, recording, srt, write } from '../testing/recordings.ts';
import { findFfmpeg } from './audio.ts';
import type { Hints } from './facts.ts';
import { importContent } from './import.ts';

const portal = await startPortal();
const { db, call, connection, store, paths, tableChecksums } = portal;
const { token } = await portal.createUser({ subscribed: true });
const root = await mkdtemp(join(tmpdir(), 'import-test-'));
afterAll(() => rm(root, { recursive: true, force: true }));
const folder = join(root, 'recordings');
const workshop = join(root, 'workshop');
const said: Hints = { language: 'en', level: 'B1', topic: 'travel', narrator: 'Bo' };
const canEncode = (await findFfmpeg()) !== undefined;

beforeEach(async () => {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  await db.deleteFrom('article').where('source', 'is not', null).execute();
});

/** Imports the folder. In: what is said of all of it, and another program than ffmpeg. */
const run = (hints: Hints = said, ffmpeg?: string) =>
  importContent({ connection, mediaStore: store, place: folder, hints, workshop, ...(ffmpeg && { ffmpeg }) });
const names = async () => {
  const rows = await db
    .selectFrom('article')
    .select('title')
    .where('source', 'is not', null)
    .orderBy('title')
    .execute();
  return rows.map(({ title }) => title);
};
async function articleOf(title: string) {
  const { id, loudness, source } = await db
    .selectFrom('article')
    .select(['id', 'loudness', 'source'])
    .where('title', '=', title)
    .executeTakeFirstOrThrow();
  return {
    ...(await call(api.articles.findArticle, token, { params: { id } })),
    loudness,
    source,
  };
}
async function filesInStore(): Promise<string[]> {
  const found = await readdir(join(paths.directory, 'media'), { recursive: true });
  return found.sort();
}

describe('[CAT-10] a folder', () => {
  it('brings recordings with what lies beside them: text, transcript, picture', async () => {
    await place('constant.mp3', join(folder, 'deep/01 tones.mp3'));
    await write(folder, 'deep/01 tones.md', markdown);
    await write(folder, 'deep/01 tones.srt', srt);
    await write(folder, 'deep/01 tones.png', await picture());
    const { added, failed } = await run();
    expect([added, failed]).toEqual([
      [{ slug: expect.stringMatching(/^the-three-tones-[0-9a-f]{8}$/), title: 'The three tones' }],
      [],
    ]);
    expect(await articleOf('The three tones')).toMatchObject({
      ...{
        language: 'en',
        level: 'A2',
        topic: 'science',
        kind: 'article',
        publishedAt: '2026-03-09T00:00:00.000Z',
      },
      ...{ summary: 'What a machine says when nobody listens.', narrator: { name: 'Ada', image: null } },
      ...{ estimated: false, translationLanguage: null, chapters: [], pages: [] },
      sentences: [
        { text: 'This is the first tone.', start: 0.238, paragraph: 0 },
        { text: 'This is the second tone!', paragraph: 0 },
        { text: 'The third one is short.', end: 2.938, paragraph: 1 },
      ],
    });
  });

  // 576 samples of the encoder and half of the decoder's 529, of 22,050 in a second.
  it.each([
    ['names its encoder, and so many samples later', 'Lavf', 0.2 + 841 / 22_050],
    ['names none, as they are', 'none', 0.2],
  ])('the times of a transcript are where an MP3 sounds that %s', async (_, encoder, start) => {
    const bytes = await readFile(recording('constant.mp3'));
    bytes.write(encoder, bytes.indexOf('Lavf'), 'latin1');
    await write(folder, 'tones.mp3', bytes);
    await write(folder, 'tones.srt', srt);
    await run();
    const [first] = (await articleOf('Three tones')).sentences;
    expect(first?.start).toBeCloseTo(start, 3);
  });

  it('what can be heard, searched for and shown is there at once', async () => {
    await place('constant.mp3', join(folder, 'tones.mp3'));
    await write(folder, 'tones.md', markdown);
    await run();
    const { _id } = await articleOf('The three tones');
    const { url } = await call(api.listening.grantAudio, token, { params: { id: _id }, query: {} });
    const { statusCode, headers } = await portal.app.inject({ url, headers: { range: 'bytes=0-9' } });
    expect([statusCode, headers['content-type']]).toEqual([206, 'audio/mpeg']);
    const { docs } = await call(api.search.search, token, { query: { q: 'three tones' } });
    expect(docs.map(({ track }) => track._id)).toContain(_id);
  });

  it('without front matter its tags and its name say what it is, and options what is left', async () => {
    await place('constant.mp3', join(folder, 'named_by-its file.mp3'));
    await write(folder, 'named_by-its file.txt', 'Uno. Dos.');
    await run({ ...said, language: 'es-PE', narrator: undefined });
    expect(await articleOf('Three tones')).toMatchObject({
      language: 'es',
      level: 'B1',
      narrator: { name: 'A machine' },
    });
  });

  it('audio of a constant bit rate keeps its sound, without its tags, under a header by which a time can be counted', async () => {
    await place('constant.mp3', join(folder, 'tones.mp3'));
    await run();
    const { audio, duration } = await db
      .selectFrom('article')
      .select(['audio', 'duration'])
      .where('source', 'is not', null)
      .executeTakeFirstOrThrow();
    const kept = await readFile(join(paths.directory, 'media', audio));
    const info = kept.indexOf('Info');
    const [frames, bytes] = [kept.readUInt32BE(info + 8), kept.readUInt32BE(info + 12)];
    expect(kept.toString('latin1')).not.toContain('A machine');
    expect(kept.subarray(-bytes).equals((await readFile(recording('constant.mp3'))).subarray(-bytes))).toBe(
      true,
    );
    // 576 samples in a frame, 22,050 in a second.
    expect(duration).toBeCloseTo((frames * 576) / 22_050, 6);
    expect(kept.length - bytes).toBeLessThan(100);
  });

  it('sentences without times are estimated from pauses and length, and say so', async () => {
    await place('constant.mp3', join(folder, 'tones.mp3'));
    await write(folder, 'tones.md', markdown);
    await run();
    const { estimated, sentences, loudness } = await articleOf('The three tones');
    expect(estimated).toBe(true);
    const starts = sentences.map(({ start }) => start);
    if (canEncode) {
      // The pauses of the recording end at 0.2, 1.5 and 2.6.
      for (const [index, start] of [0.2, 1.5, 2.6].entries())
        expect(Math.abs((starts[index] ?? 9) - start)).toBeLessThan(0.1);
      expect(loudness).toBeCloseTo(-30, 0);
    } else {
      expect(starts).toEqual([...starts].sort((one, other) => one - other));
      expect(loudness).toBeNull();
    }
  });

  it('a text may be written as Windows does', async () => {
    await place('constant.mp3', join(folder, 'tones.mp3'));
    await write(folder, 'tones.txt', Buffer.from('\ufeffMañana será.\r\n\r\nHoy es.', 'utf16le'));
    await run();
    const { sentences } = await articleOf('Three tones');
    expect(sentences.map(({ text, paragraph }) => [text, paragraph])).toEqual([
      ['Mañana será.', 0],
      ['Hoy es.', 1],
    ]);
  });

  it('what lies beside it may write its accents in another way', async () => {
    await place('constant.mp3', join(folder, 'canción.mp3'.normalize('NFC')));
    await write(folder, 'canción.md'.normalize('NFD'), markdown);
    expect((await run()).added).toMatchObject([{ title: 'The three tones' }]);
  });

  it('a recording without words is there to be heard', async () => {
    await place('constant.mp3', join(folder, 'tones.mp3'));
    await run();
    expect(await articleOf('Three tones')).toMatchObject({
      sentences: [],
      estimated: false,
      summary: 'Three tones',
    });
  });

  it('chapters and translations come from the text', async () => {
    await place('constant.mp3', join(folder, 'tones.mp3'));
    const text =
      '# Two tones\n\n## Morning\n\nHello *there*.\n= Hola.\n\n## Evening\n\nGood night.\n= Buenas noches.\n';
    await write(folder, 'tones.md', text);
    await run();
    const { kind, chapters, sentences, translationLanguage } = await articleOf('Two tones');
    expect([kind, translationLanguage]).toEqual(['audiobook', 'es']);
    expect(chapters.map(({ title }) => title)).toEqual(['Morning', 'Evening']);
    expect(sentences.map(({ text, translation, chapter }) => [text, translation, chapter])).toEqual([
      ['Hello there.', 'Hola.', 0],
      ['Good night.', 'Buenas noches.', 1],
    ]);
    expect(chapters[1]?.start).toBe(sentences[1]?.start);
  });

  it.each(['varying.mp3', 'tones.m4a', 'tones.opus'] as const)(
    '%s, which browsers seek or play wrongly, is encoded anew where ffmpeg is, and refused in words where it is not',
    async (name) => {
      await place(name, join(folder, name));
      const refused = await run(said, '/nowhere/ffmpeg');
      expect(refused).toMatchObject({
        ...{ added: [], canEncode: false },
        failed: [{ name, reason: expect.stringContaining('install ffmpeg') }],
      });
      const { added, failed } = await run();
      expect(added.length).toBe(canEncode ? 1 : 0);
      expect(failed.length).toBe(canEncode ? 0 : 1);
      const rows = await db
        .selectFrom('article')
        .select('duration')
        .where('source', 'is not', null)
        .execute();
      for (const { duration } of rows) expect(duration).toBeCloseTo(3, 0);
    },
  );

  it('without ffmpeg a constant bit rate comes in unmeasured, and is measured by the next run that can', async () => {
    await place('constant.mp3', join(folder, 'tones.mp3'));
    expect((await run(said, '/nowhere/ffmpeg')).added).toHaveLength(1);
    expect((await articleOf('Three tones')).loudness).toBeNull();
    expect((await run(said, '/nowhere/ffmpeg')).unchanged).toBe(1);
    expect((await run()).changed).toHaveLength(canEncode ? 1 : 0);
    expect((await articleOf('Three tones')).loudness === null).toBe(!canEncode);
    expect((await run(said, '/nowhere/ffmpeg')).unchanged).toBe(1);
  });
});

describe('[CAT-10] the same again', () => {
  beforeEach(async () => {
    await place('constant.mp3', join(folder, 'tones.mp3'));
    await write(folder, 'tones.md', markdown);
    await run();
  });

  it('changes nothing and writes nothing', async () => {
    const [rows, files] = [await tableChecksums(), await filesInStore()];
    const written = () =>
      sql<{ written: string }>`select xmin::text as written from portal.articleId order by 1`.execute(db);
    const before = (await written()).rows;
    expect(await run()).toMatchObject({ added: [], changed: [], unchanged: 1, failed: [] });
    expect([await tableChecksums(), await filesInStore(), (await written()).rows]).toEqual([
      rows,
      files,
      before,
    ]);
  });

  it('a file that was only touched is no change', async () => {
    await utimes(join(folder, 'tones.mp3'), new Date(), new Date(0));
    expect(await run()).toMatchObject({ added: [], changed: [], unchanged: 1 });
  });

  it('a changed text changes that piece, under the address it had', async () => {
    const before = await articleOf('The three tones');
    await write(folder, 'tones.md', markdown.replace('The three tones', 'Other tones'));
    expect(await run()).toMatchObject({ added: [], changed: [before.slug] });
    expect(await articleOf('Other tones')).toMatchObject({ _id: before._id, slug: before.slug });
  });

  it('a folder that moved is the same folder', async () => {
    const before = await articleOf('The three tones');
    await rename(join(folder, 'tones.mp3'), join(folder, 'moved.mp3'));
    await rename(join(folder, 'tones.md'), join(folder, 'moved.md'));
    expect(await run()).toMatchObject({ added: [], changed: [], unchanged: 1 });
    const { _id, source } = await articleOf('The three tones');
    expect([_id, source]).toEqual([before._id, expect.stringMatching(/moved\.mp3$/)]);
    expect(await run()).toMatchObject({ unchanged: 1 });
  });

  it('a second copy of a recording is named, not imported twice', async () => {
    await place('constant.mp3', join(folder, 'zzz copy.mp3'));
    const { same, added } = await run();
    expect([same, added]).toEqual([
      [{ name: 'zzz copy.mp3', as: expect.stringMatching(/^the-three-tones/) }],
      [],
    ]);
    expect(await names()).toEqual(['The three tones']);
  });

  it('a piece that is broken now keeps what was good', async () => {
    await write(folder, 'tones.md', '---\nlevel: Z9\n---\nBroken.');
    expect((await run()).failed).toHaveLength(1);
    expect(await names()).toEqual(['The three tones']);
  });
});

/** The sound of `constant.mp3` in another file, so that the two are no copies of one another. */
const otherRecording = async () =>
  Buffer.concat([await readFile(recording('constant.mp3')), Buffer.from('TAG'.padEnd(128, '\0'))]);

describe('[CAT-10] what is bad is named with the reason, leaves nothing behind, and the others come in', () => {
  const bomb = Buffer.from(
    // A PNG that claims 100,000 by 100,000 pixels.
    '89504e470d0a1a0a0000000d49484452000186a0000186a008020000002b0b0a730000000049454e44ae426082',
    'hex',
  );
  const hugeTag = Buffer.concat([
    Buffer.from('ID3\u0004\u0000\u0000', 'latin1'),
    Buffer.from([0x10, 0, 0, 0]),
  ]);
  type Prepare = () => Promise<unknown>;
  const beside =
    (name: string, content: string | Buffer): Prepare =>
    async () => {
      await place('constant.mp3', join(folder, 'bad.mp3'));
      await write(folder, name, content);
    };

  it.each<[string, string, RegExp, Prepare]>([
    ['no audio at all', 'bad.mp3', /no audio/, () => write(folder, 'bad.mp3', 'this is only text')],
    ['an empty file', 'bad.mp3', /empty/, () => write(folder, 'bad.mp3', '')],
    ['tags that would fill the memory', 'bad.mp3', /tags/, () => write(folder, 'bad.mp3', hugeTag)],
    [
      'audio larger than anything',
      'bad.mp3',
      /larger than 2 GB/,
      async () => {
        await write(folder, 'bad.mp3', 'ID3');
        await truncate(join(folder, 'bad.mp3'), 3 * 2 ** 30);
      },
    ],
    [
      'an MP4 whose tables fill the memory',
      'bad.m4a',
      /tags|no audio|ffmpeg/,
      () => write(folder, 'bad.m4a', Buffer.from('0000000866747970ffffffff6d6f6f76', 'hex')),
    ],
    [
      'an MP4 whose tables say their length in another way',
      'bad.m4a',
      /tags|ffmpeg/,
      async () => {
        await write(
          folder,
          'bad.m4a',
          Buffer.from('0000000866747970000000016d6f6f760000000010000000', 'hex'),
        );
        await truncate(join(folder, 'bad.m4a'), 2 ** 28);
      },
    ],
    [
      'an MP4 of parts without an end',
      'bad.m4a',
      /more parts than any recording/,
      () => {
        const parts = Array.from({ length: 100_001 }, () => '0000000866726565');
        return write(folder, 'bad.m4a', Buffer.from(`0000000866747970${parts.join('')}`, 'hex'));
      },
    ],
    [
      'a WAV of tags',
      'bad.wav',
      /tags/,
      async () => {
        await write(folder, 'bad.wav', Buffer.from('RIFF\0\0\0\x08WAVEid3 \0\0\0\x07', 'latin1'));
        await truncate(join(folder, 'bad.wav'), 2 ** 27);
      },
    ],
    [
      'a FLAC of pictures',
      'bad.flac',
      /tags/,
      async () => {
        await write(folder, 'bad.flac', 'fLaC');
        const file = await open(join(folder, 'bad.flac'), 'r+');
        const block = Buffer.from([6, 0xff, 0xff, 0xff]);
        for (let n = 0; n < 7; n += 1) await file.write(block, 0, 4, 4 + n * (4 + 0xffffff));
        await file.truncate(7 * 2 ** 24);
        await file.close();
      },
    ],
    [
      'a link out of the folder',
      'bad.mp3',
      /link out/,
      () => symlink('/etc/passwd', join(folder, 'bad.mp3')),
    ],
    [
      'a folder in folders without an end',
      Array.from({ length: 13 }, () => 'in').join('/'),
      /too deep/,
      () => place('constant.mp3', join(folder, ...Array.from({ length: 13 }, () => 'in'), 'bad.mp3')),
    ],
    ['an archive', 'bad.zip', /archive/, () => write(folder, 'bad.zip', 'PK')],
    ['a recording of another kind', 'bad.wma', /not read: make an MP3/, () => write(folder, 'bad.wma', '0&')],
    ['subtitles of nothing', 'bad.vtt', /belongs to no audio/, () => write(folder, 'bad.vtt', 'WEBVTT')],
    ['a text that is no UTF-8', 'bad.mp3', /UTF-8/, beside('bad.md', Buffer.from([0x2d, 0xff, 0xfe]))],
    ['a text larger than a book', 'bad.mp3', /larger than 2 MB/, beside('bad.md', 'a '.repeat(1_100_000))],
    ['front matter that is none', 'bad.mp3', /front matter/, beside('bad.md', '---\n: [ : {\n---\nText.')],
    [
      'front matter that multiplies',
      'bad.mp3',
      /front matter/,
      beside('bad.md', '---\na: &a [x]\nb: [*a, *a]\n---\nText.'),
    ],
    [
      'an unknown level',
      'bad.mp3',
      /its level is not usable \(A1/,
      beside('bad.md', '---\nlevel: Z9\n---\nText.'),
    ],
    [
      'an unknown language',
      'bad.mp3',
      /its language is not usable/,
      beside('bad.md', '---\nlanguage: xx\n---\nText.'),
    ],
    ['a visual book', 'bad.mp3', /visual book/, beside('bad.md', '---\nkind: visual-book\n---\nText.')],
    [
      'a script in the title',
      'bad.mp3',
      /title: holds a script/,
      beside('bad.md', '---\ntitle: <script>alert(1)</script>\n---\nText.'),
    ],
    [
      'markup in the title',
      'bad.mp3',
      /title holds markup/,
      beside('bad.md', '---\ntitle: <b>Bold</b>\n---\nText.'),
    ],
    [
      'a script in the summary',
      'bad.mp3',
      /summary: holds a script/,
      beside('bad.md', '---\nsummary: <img src=x onerror=alert(1)>\n---\nText.'),
    ],
    [
      'a script in the text',
      'bad.mp3',
      /its text: holds a script/,
      beside('bad.md', 'Hello.\n\n<iframe src="https://evil.example"></iframe>'),
    ],
    [
      'a script in the transcript',
      'bad.mp3',
      /its transcript: holds a script/,
      beside('bad.vtt', 'WEBVTT\n\n00:00.000 --> 00:01.000\n<script>x</script>'),
    ],
    ['a transcript without times', 'bad.mp3', /no words with times/, beside('bad.srt', 'Only words.')],
    ['a transcript that is no JSON', 'bad.mp3', /not JSON/, beside('bad.json', '{"segments":')],
    [
      'a transcript of another shape',
      'bad.mp3',
      /no segments/,
      beside('bad.json', '{"segments":[{"at":1}]}'),
    ],
    [
      'a transcript of another recording',
      'bad.mp3',
      /goes on after/,
      beside('bad.srt', '1\n00:10:00,000 --> 00:10:01,000\nHello.'),
    ],
    [
      'a picture with scripts',
      'bad.mp3',
      /picture is not/,
      beside('bad.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    ],
    [
      'a picture that is a script in disguise',
      'bad.mp3',
      /picture is not/,
      beside('bad.png', '<svg onload="alert(1)"/>'),
    ],
    ['a picture that would fill the memory', 'bad.mp3', /picture cannot be read/, beside('bad.png', bomb)],
    [
      'a broken picture',
      'bad.mp3',
      /picture cannot be read/,
      beside('bad.jpg', Buffer.from('ffd8ffe000104a464946', 'hex')),
    ],
    [
      'a text of tags that never end',
      'bad.mp3',
      /holds a script/,
      beside('bad.md', `${'<'.repeat(1_000_000)}<a onclick=x`),
    ],
    [
      'a text within texts without an end',
      'bad.mp3',
      /its text: .*without an end/,
      beside('bad.md', '>'.repeat(100_000)),
    ],
    [
      'a title longer than a page',
      'bad.mp3',
      /its title is not usable/,
      beside('bad.md', `---\ntitle: ${'a'.repeat(400)}\n---\nText.`),
    ],
  ])('%s', async (_name, file, reason, prepare) => {
    await prepare();
    await write(folder, 'good.mp3', await otherRecording());
    const files = await filesInStore();
    const { added, failed } = await run();
    expect(failed).toEqual([{ name: file, reason: expect.stringMatching(reason) }]);
    expect(added).toEqual([{ slug: expect.any(String), title: 'Three tones' }]);
    expect(await names()).toEqual(['Three tones']);
    // The good one's audio and two pictures, at most; nothing of the bad one.
    const fresh = (await filesInStore()).filter((name) => !files.includes(name) && name.includes('.'));
    expect(fresh.length).toBeLessThanOrEqual(3);
    expect(await stat(workshop).catch(() => undefined)).toBeUndefined();
  });

  it.each([
    ['language', /nothing says its language \(en or es\).*--language/],
    ['level', /nothing says its level.*--level/],
    ['topic', /nothing says its topic.*--topic/],
  ])('what nothing says is asked for: %s', async (name, reason) => {
    await place('constant.mp3', join(folder, 'tones.mp3'));
    const { failed } = await run({ ...said, [name]: undefined });
    expect(failed).toEqual([{ name: 'tones.mp3', reason: expect.stringMatching(reason) }]);
  });

  it('all that nothing says of a piece, and all that cannot be used, is named at once', async () => {
    await place('constant.mp3', join(folder, 'tones.mp3'));
    await write(folder, 'tones.md', '---\nlevel: Z9\n---\nText.');
    await write(folder, 'whole.mp3', await otherRecording());
    await write(folder, 'whole.md', '---\nlanguage: en\nlevel: B1\ntopic: travel\n---\nText.');
    const { added, failed } = await run({});
    expect(failed).toEqual([
      {
        name: 'tones.mp3',
        reason:
          'nothing says its language (en or es); its level is not usable (A1, A2, B1, B2, C1 or C2); ' +
          'nothing says its topic (a word): write that into its front matter, or say --language --level --topic',
      },
    ]);
    expect(added).toHaveLength(1);
  });
});

describe('[CAT-10] one at a time', () => {
  it('a second import beside the first is refused in words', async () => {
    await place('constant.mp3', join(folder, 'tones.mp3'));
    const attempts = await Promise.allSettled([run(), run()]);
    const refused = attempts.flatMap((attempt) =>
      attempt.status === 'rejected' ? [String(attempt.reason)] : [],
    );
    expect(refused).toEqual(['Error: Another import is running. Wait for it, then go on.']);
  });

  it('a place that is nowhere is refused in words', async () => {
    await rm(folder, { recursive: true });
    await expect(run()).rejects.toThrow('is neither a folder nor a feed');
  });
});
