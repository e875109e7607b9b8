import { readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { api } from '@escucho/contracts';
import { createDeferred } from '@escucho/database/testing';
import { sql } from 'kysely';
import sharp from 'sharp';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { MediaStore } from '../media/media-store.ts';
import { startImportTest, testMetadata } from '../testing/imports.ts';
import {
  copyRecording,
  createPicture,
  getRecordingPath,
  markdown,
  readUniqueRecording,
  srt,
  write,
} from '../testing/recordings.ts';
import { findFfmpeg } from './audio.ts';

const importTest = await startImportTest();
const { db, call, paths, store, folder, scratchFolder, runImport, findTitles } = importTest;
const { tableChecksums, listStoredFiles } = importTest;
const { token } = await importTest.createUser({ subscribed: true });
const ffmpeg = await findFfmpeg();
const canEncode = ffmpeg !== undefined;
const withFfmpeg = { ffmpeg: 'ffmpeg' };

beforeEach(importTest.reset);

async function findByTitle(title: string) {
  const { id, loudness, source } = await db
    .selectFrom('article')
    .select(['id', 'loudness', 'source'])
    .where('title', '=', title)
    .executeTakeFirstOrThrow();
  return { ...(await call(api.catalogue.findArticle, token, { params: { id } })), loudness, source };
}

describe('[CAT-10] importing a folder', () => {
  it('reads front matter in any case', async () => {
    await copyRecording('constant.mp3', join(folder, 'one.mp3'));
    await write(folder, 'one.md', '--- \nTitle: The tone\nLEVEL: a2\nKind: Audiobook\n---\nText.');
    expect(await runImport()).toMatchObject({ added: [{ title: 'The tone' }], failed: [] });
    expect(await findByTitle('The tone')).toMatchObject({ level: 'A2', kind: 'audiobook' });
  });

  it('finds words that are written with soft hyphens', async () => {
    await copyRecording('constant.mp3', join(folder, 'one.mp3'));
    await write(folder, 'one.md', '# The light\u00adhouse\n\nA sub\u00adma\u00adrine came.');
    expect(await runImport()).toMatchObject({ added: [{ title: 'The lighthouse' }] });
    for (const q of ['lighthouse', 'submarine']) {
      const { docs } = await call(api.catalogue.search, token, { query: { q } });
      expect(docs.map(({ track }) => track.title)).toEqual(['The lighthouse']);
    }
  });

  it('imports recordings with text, transcript and picture of the same name', async () => {
    await copyRecording('constant.mp3', join(folder, 'deep/01 tones.mp3'));
    await write(folder, 'deep/01 tones.md', markdown);
    await write(folder, 'deep/01 tones.srt', srt);
    await write(folder, 'deep/01 tones.png', await createPicture());
    const { added, failed } = await runImport(withFfmpeg);
    expect([added, failed]).toEqual([
      [{ slug: expect.stringMatching(/^the-three-tones-[0-9a-f]{8}$/), title: 'The three tones' }],
      [],
    ]);
    expect(await findByTitle('The three tones')).toMatchObject({
      ...{
        language: 'en',
        level: 'A2',
        topic: 'science',
        kind: 'article',
        publishedAt: '2026-03-09T00:00:00.000Z',
      },
      summary: 'Three tones of a machine.',
      narrator: { name: 'Ada', image: null },
      estimated: false,
      translationLanguage: null,
      chapters: [],
      pages: [],
      sentences: [
        { text: 'This is the first tone.', start: 0.238, paragraph: 0 },
        { text: 'This is the second tone!', paragraph: 0 },
        { text: 'The third one is short.', end: 2.938, paragraph: 1 },
      ],
    });
  });

  // 576 samples of the encoder and half of the decoder's 529, at 22,050 a second.
  it.each([
    ['with an encoder’s name, later by the delay', 'Lavf', 0.2 + 841 / 22_050],
    ['without an encoder’s name, unchanged', 'none', 0.2],
  ])('shifts the times of a transcript to where the MP3 sounds: %s', async (_, encoder, start) => {
    const bytes = await readFile(getRecordingPath('constant.mp3'));
    bytes.write(encoder, bytes.indexOf('Lavf'), 'latin1');
    await write(folder, 'tones.mp3', bytes);
    await write(folder, 'tones.srt', srt);
    await runImport();
    const [first] = (await findByTitle('Three tones')).sentences;
    expect(first?.start).toBeCloseTo(start, 3);
  });

  it('makes imported articles playable and searchable at once', async () => {
    await copyRecording('constant.mp3', join(folder, 'tones.mp3'));
    await write(folder, 'tones.md', markdown);
    await runImport();
    const { _id } = await findByTitle('The three tones');
    const { url } = await call(api.listening.grantAudio, token, { params: { id: _id }, query: {} });
    const { statusCode, headers } = await importTest.app.inject({ url, headers: { range: 'bytes=0-9' } });
    expect([statusCode, headers['content-type']]).toEqual([206, 'audio/mpeg']);
    const { docs } = await call(api.catalogue.search, token, { query: { q: 'three tones' } });
    expect(docs.map(({ track }) => track._id)).toContain(_id);
  });

  it.each([
    ['a drawing where a recording has no picture', undefined, 'image/svg+xml'],
    ['its picture', createPicture, 'image/avif'],
  ])('shows %s, with pixels for previews of links', async (_, create, type) => {
    await copyRecording('constant.mp3', join(folder, 'tones.mp3'));
    if (create) await write(folder, 'tones.png', await create());
    await runImport();
    const { image, artwork } = await findByTitle('Three tones');
    const files = await Promise.all([image, artwork].map((url) => importTest.app.inject({ url })));
    expect(files.map(({ statusCode, headers }) => [statusCode, headers['content-type']])).toEqual([
      [200, type],
      [200, 'image/webp'],
    ]);
    expect(await sharp(files[1]?.rawPayload).metadata()).toMatchObject({ width: 640, height: 640 });
  });

  it('without front matter takes metadata from tags, file name and options', async () => {
    await copyRecording('constant.mp3', join(folder, 'named_by-its file.mp3'));
    await write(folder, 'named_by-its file.txt', 'Uno. Dos.');
    await runImport({ metadata: { ...testMetadata, language: 'es-PE', narrator: undefined } });
    expect(await findByTitle('Three tones')).toMatchObject({
      language: 'es',
      level: 'B1',
      narrator: { name: 'A machine' },
    });
  });

  it('copies the frames of a constant bit rate behind an Info header, without tags', async () => {
    await copyRecording('constant.mp3', join(folder, 'tones.mp3'));
    await runImport();
    const { audio, duration } = await db
      .selectFrom('article')
      .select(['audio', 'duration'])
      .where('source', 'is not', null)
      .executeTakeFirstOrThrow();
    const stored = await readFile(join(paths.directory, 'media', audio));
    const info = stored.indexOf('Info');
    const [frames, bytes] = [stored.readUInt32BE(info + 8), stored.readUInt32BE(info + 12)];
    expect(stored.toString('latin1')).not.toContain('A machine');
    expect(
      stored.subarray(-bytes).equals((await readFile(getRecordingPath('constant.mp3'))).subarray(-bytes)),
    ).toBe(true);
    // 576 samples a frame at 22,050 Hz.
    expect(duration).toBeCloseTo((frames * 576) / 22_050, 6);
    expect(stored.length - bytes).toBeLessThan(100);
  });

  it('estimates the times of sentences without a transcript from pauses and length', async () => {
    await copyRecording('constant.mp3', join(folder, 'tones.mp3'));
    await write(folder, 'tones.md', markdown);
    await runImport(withFfmpeg);
    const { estimated, sentences, loudness } = await findByTitle('The three tones');
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

  it('reads texts in UTF-16 with CRLF line ends', async () => {
    await copyRecording('constant.mp3', join(folder, 'tones.mp3'));
    await write(folder, 'tones.txt', Buffer.from('\ufeffMañana será.\r\n\r\nHoy es.', 'utf16le'));
    await runImport();
    const { sentences } = await findByTitle('Three tones');
    expect(sentences.map(({ text, paragraph }) => [text, paragraph])).toEqual([
      ['Mañana será.', 0],
      ['Hoy es.', 1],
    ]);
  });

  it('matches sidecar files whose names compose accents differently', async () => {
    await copyRecording('constant.mp3', join(folder, 'canción.mp3'.normalize('NFC')));
    await write(folder, 'canción.md'.normalize('NFD'), markdown);
    expect((await runImport()).added).toMatchObject([{ title: 'The three tones' }]);
  });

  it('imports a recording without a text', async () => {
    await copyRecording('constant.mp3', join(folder, 'tones.mp3'));
    await runImport();
    expect(await findByTitle('Three tones')).toMatchObject({
      sentences: [],
      estimated: false,
      summary: 'Three tones',
    });
  });

  it('takes chapters and translations from the text', async () => {
    await copyRecording('constant.mp3', join(folder, 'tones.mp3'));
    const text =
      '# Two *tones*\n\n## Morning\n\nHello *there*.\n= Hola.\n\n## Evening\n\nGood night.\n= Buenas noches.\n';
    await write(folder, 'tones.md', text);
    await runImport();
    const { kind, chapters, sentences, translationLanguage } = await findByTitle('Two tones');
    expect([kind, translationLanguage]).toEqual(['audiobook', 'es']);
    expect(chapters.map(({ title }) => title)).toEqual(['Morning', 'Evening']);
    expect(sentences.map(({ text, translation, chapter }) => [text, translation, chapter])).toEqual([
      ['Hello there.', 'Hola.', 0],
      ['Good night.', 'Buenas noches.', 1],
    ]);
    expect(chapters[1]?.start).toBe(sentences[1]?.start);
  });

  it.each(['varying.mp3', 'tones.m4a', 'tones.opus'] as const)(
    'encodes %s with ffmpeg, and refuses it without',
    async (name) => {
      await copyRecording(name, join(folder, name));
      const refused = await runImport();
      expect(refused).toMatchObject({
        added: [],
        canEncode: false,
        failed: [{ name, reason: expect.stringContaining('install ffmpeg') }],
      });
      const { added, failed } = await runImport(withFfmpeg);
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

  it('without ffmpeg imports a constant bit rate unmeasured; the next run with it measures', async () => {
    await copyRecording('constant.mp3', join(folder, 'tones.mp3'));
    expect((await runImport()).added).toHaveLength(1);
    expect((await findByTitle('Three tones')).loudness).toBeNull();
    expect((await runImport()).unchanged).toBe(1);
    expect((await runImport(withFfmpeg)).changed).toHaveLength(canEncode ? 1 : 0);
    expect((await findByTitle('Three tones')).loudness === null).toBe(!canEncode);
    expect((await runImport()).unchanged).toBe(1);
  });
});

describe('[CAT-10] a second import', () => {
  beforeEach(async () => {
    await copyRecording('constant.mp3', join(folder, 'tones.mp3'));
    await write(folder, 'tones.md', markdown);
    await runImport();
  });

  it('writes nothing when nothing has changed', async () => {
    const [rows, files] = [await tableChecksums(), await listStoredFiles()];
    const written = () =>
      sql<{ written: string }>`select xmin::text as written from portal.article order by 1`.execute(db);
    const before = (await written()).rows;
    expect(await runImport()).toMatchObject({ added: [], changed: [], unchanged: 1, failed: [] });
    expect([await tableChecksums(), await listStoredFiles(), (await written()).rows]).toEqual([
      rows,
      files,
      before,
    ]);
  });

  it('ignores a file with a new date and the same content', async () => {
    await utimes(join(folder, 'tones.mp3'), new Date(), new Date(0));
    expect(await runImport()).toMatchObject({ added: [], changed: [], unchanged: 1 });
  });

  it('updates an article whose text changed, with the same id and slug', async () => {
    const before = await findByTitle('The three tones');
    await write(folder, 'tones.md', markdown.replace('The three tones', 'Other tones'));
    expect(await runImport()).toMatchObject({ added: [], changed: [before.slug] });
    expect(await findByTitle('Other tones')).toMatchObject({ _id: before._id, slug: before.slug });
  });

  it('recognizes recordings that were moved', async () => {
    const before = await findByTitle('The three tones');
    await rename(join(folder, 'tones.mp3'), join(folder, 'moved.mp3'));
    await rename(join(folder, 'tones.md'), join(folder, 'moved.md'));
    expect(await runImport()).toMatchObject({ added: [], changed: [], unchanged: 1 });
    const { _id, source } = await findByTitle('The three tones');
    expect([_id, source]).toEqual([before._id, expect.stringMatching(/moved\.mp3$/)]);
    expect(await runImport()).toMatchObject({ unchanged: 1 });
  });

  it('reports a copy of a recording as a duplicate', async () => {
    await copyRecording('constant.mp3', join(folder, 'zzz copy.mp3'));
    const { duplicates, added } = await runImport();
    expect([duplicates, added]).toEqual([
      [{ name: 'zzz copy.mp3', as: expect.stringMatching(/^the-three-tones/) }],
      [],
    ]);
    expect(await findTitles()).toEqual(['The three tones']);
  });

  it('keeps the stored version of an article that is invalid now', async () => {
    await write(folder, 'tones.md', '---\nlevel: Z9\n---\nBroken.');
    expect((await runImport()).failed).toHaveLength(1);
    expect(await findTitles()).toEqual(['The three tones']);
  });
});

describe('[CAT-10] an import', () => {
  it('is refused while another one runs', async () => {
    await copyRecording('constant.mp3', join(folder, 'tones.mp3'));
    const attempts = await Promise.allSettled([runImport(), runImport()]);
    const refused = attempts.flatMap((attempt) =>
      attempt.status === 'rejected' ? [String(attempt.reason)] : [],
    );
    expect(refused).toEqual(['Error: Another import is running. Wait for it, then go on.']);
  });

  it('is refused while one runs whose store takes minutes', async () => {
    await copyRecording('constant.mp3', join(folder, 'tones.mp3'));
    const findActive = sql`select from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and state = 'active'
        and pid <> pg_backend_pid()`;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const others: PromiseSettledResult<unknown>[] = [];
    const mediaStore: MediaStore = {
      ...store,
      async stat(key) {
        if (others.length === 0) {
          // In short steps: a query in progress must not exceed its time limit while the database responds, in real time.
          for (let seconds = 0; seconds < 120; seconds += 1) {
            await vi.advanceTimersByTimeAsync(1000);
            while ((await findActive.execute(db)).rows.length > 0);
          }
          vi.useRealTimers();
          others.push(...(await Promise.allSettled([runImport()])));
        }
        return store.stat(key);
      },
    };
    expect((await runImport({ mediaStore })).added).toHaveLength(1);
    expect(others).toMatchObject([{ reason: { message: expect.stringMatching(/^Another import/) } }]);
  });

  it('that fails ends after all that was begun, and leaves no files', async () => {
    for (const name of ['one', 'two', 'three', 'four', 'five', 'six']) {
      await write(folder, `${name}.mp3`, await readUniqueRecording(name));
      await write(folder, `${name}.md`, markdown.replace('The three tones', name));
    }
    const failed = createDeferred();
    let covers = 0;
    const mediaStore: MediaStore = {
      ...store,
      async put(key, source) {
        if (!key.endsWith('.svg')) return store.put(key, source);
        covers += 1;
        if (covers === 2) {
          failed.resolve();
          throw new Error('The disk is full.');
        }
        await failed.promise;
        return store.put(key, source);
      },
    };
    await expect(runImport({ mediaStore })).rejects.toThrow('The disk is full.');
    expect(covers).toBeLessThan(6);
    expect(await findTitles()).toHaveLength(covers - 1);
    await expect(stat(scratchFolder)).rejects.toThrow('ENOENT');
  });

  it('is refused when its source does not exist', async () => {
    await rm(folder, { recursive: true });
    await expect(runImport()).rejects.toThrow('is neither a folder nor a feed');
  });
});
