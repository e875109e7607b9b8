import { createHash } from 'node:crypto';
import { rename, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { startImportTest } from '../testing/imports.ts';
import { copyRecording, markdown, readUniqueRecording, write } from '../testing/recordings.ts';

const importTest = await startImportTest();
const { db, administer, folder, runImport, findTitles } = importTest;

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Returns the names of the recordings by the id of their article. */
async function findSources(): Promise<Record<string, string>> {
  const rows = await db
    .selectFrom('article')
    .select(['id', 'source'])
    .where('source', 'is not', null)
    .execute();
  return Object.fromEntries(rows.map(({ id, source }) => [id, source?.replace(/^.*recordings\//, '') ?? '']));
}

beforeEach(async () => {
  await importTest.reset();
  await db.deleteFrom('withdrawn_article').execute();
});

describe('[CAT-10] a new recording at the old path of one that was moved', () => {
  it.each(['published', 'unpublished'])('is another article while the first is %s', async (state) => {
    await copyRecording('constant.mp3', join(folder, 'latest.mp3'));
    const slug = (await runImport()).added[0]?.slug ?? '';
    await rename(join(folder, 'latest.mp3'), join(folder, 'week1.mp3'));
    await runImport();
    const [id = ''] = Object.keys(await findSources());
    if (state === 'unpublished') await administer((admin) => admin.unpublish(slug));

    await write(folder, 'latest.mp3', await readUniqueRecording('second'));
    expect(await runImport()).toMatchObject({ added: [{ title: 'Three tones' }], changed: [], failed: [] });
    if (state === 'unpublished') await administer((admin) => admin.publish(slug));
    const sources = await findSources();
    expect(sources[id]).toBe('week1.mp3');
    expect(Object.values(sources).sort()).toEqual(['latest.mp3', 'week1.mp3']);
    expect(await runImport()).toMatchObject({ added: [], changed: [], unchanged: 2 });
  });
});

describe('[CAT-10] recordings that were moved, with new ones at their old paths, before one import', () => {
  let writtenAt = 1_700_000_000;

  /** Writes recordings by name and imports them; returns the ids of their articles by name. */
  async function importAll(recordings: Readonly<Record<string, string>>): Promise<Record<string, string>> {
    for (const [name, audio] of Object.entries(recordings)) {
      await write(folder, `${name}.mp3`, await readUniqueRecording(audio));
      // All have the same size, so those that were written at the same time would count as unchanged.
      writtenAt += 1;
      await utimes(join(folder, `${name}.mp3`), writtenAt, writtenAt);
    }
    await runImport();
    const sources = Object.entries(await findSources());
    return Object.fromEntries(sources.map(([id, name]) => [name.replace('.mp3', ''), id]));
  }

  /** Unpublishes or removes an article; returns its slug. */
  async function withdraw(id: string | undefined, state: 'unpublished' | 'removed'): Promise<string> {
    const article = db
      .selectFrom('article')
      .select('slug')
      .where('id', '=', id ?? '');
    const { slug } = await article.executeTakeFirstOrThrow();
    await administer((admin) => (state === 'removed' ? admin.remove(slug) : admin.unpublish(slug)));
    return slug;
  }

  it('keep their article, and the new one has another', async () => {
    const before = await importAll({ latest: 'one' });
    await rename(join(folder, 'latest.mp3'), join(folder, 'week1.mp3'));
    const after = await importAll({ latest: 'two' });
    expect(after).toEqual({ week1: before.latest, latest: expect.any(String) });
    expect(after.latest).not.toBe(before.latest);
    expect(await runImport()).toMatchObject({ added: [], changed: [], unchanged: 2, duplicates: [] });
  });

  it('keep their articles when each has the old number of the next', async () => {
    const before = await importAll({ '01': 'one', '02': 'two', '03': 'three' });
    for (const number of [3, 2, 1])
      await rename(join(folder, `0${number}.mp3`), join(folder, `0${number + 1}.mp3`));
    const after = await importAll({ '01': 'new' });
    const moved = { '02': before['01'], '03': before['02'], '04': before['03'] };
    expect(after).toEqual({ '01': expect.any(String), ...moved });
    expect(await runImport()).toMatchObject({ added: [], changed: [], unchanged: 4, duplicates: [] });
  });

  it('keep their articles when they have exchanged their paths', async () => {
    const before = await importAll({ '01': 'one', '02': 'two', '03': 'three' });
    const after = await importAll({ '01': 'two', '02': 'one' });
    expect(after).toEqual({ '01': before['02'], '02': before['01'], '03': before['03'] });
    expect(await runImport()).toMatchObject({ added: [], changed: [], unchanged: 3, duplicates: [] });
  });

  it('keep their article also when their text is invalid now', async () => {
    const before = await importAll({ latest: 'one' });
    await rename(join(folder, 'latest.mp3'), join(folder, 'week1.mp3'));
    await write(folder, 'week1.md', '---\nlevel: Z9\n---\nBroken.');
    const after = await importAll({ latest: 'two' });
    expect(after).toEqual({ week1: before.latest, latest: expect.any(String) });
  });

  it('keep one of two articles that had the same audio', async () => {
    await importAll({ a: 'one', b: 'two' });
    const before = await importAll({ b: 'one' });
    const after = await importAll({ a: 'three', b: 'four', c: 'one' });
    expect([before.a, before.b]).toContain(after.c);
    expect(Object.keys(after).sort()).toEqual(['a', 'b', 'c']);
    expect(await runImport()).toMatchObject({ added: [], changed: [], unchanged: 3, duplicates: [] });
  });

  it('take the numbers before them from an episode that was deleted', async () => {
    const before = await importAll({ '01': 'one', '02': 'two', '03': 'three', '04': 'four' });
    await rm(join(folder, '01.mp3'));
    for (const number of [2, 3, 4])
      await rename(join(folder, `0${number}.mp3`), join(folder, `0${number - 1}.mp3`));
    const after = await importAll({});
    const moved = { '01': before['02'], '02': before['03'], '03': before['04'] };
    expect(after).toEqual(moved);
    expect(await runImport()).toMatchObject({ added: [], changed: [], unchanged: 3, duplicates: [] });
    expect(await importAll({ '05': 'one' })).toEqual({ ...moved, '05': before['01'] });
  });

  it('replace a deleted one, and the new one at their old path has another article', async () => {
    const before = await importAll({ previous: 'one', latest: 'two' });
    await rename(join(folder, 'latest.mp3'), join(folder, 'previous.mp3'));
    const after = await importAll({ latest: 'three' });
    expect(after).toEqual({ previous: before.latest, latest: expect.any(String) });
    expect([before.latest, before.previous]).not.toContain(after.latest);
  });

  it('replace another one before there is a new one at their old path', async () => {
    const before = await importAll({ previous: 'one', latest: 'two' });
    await rename(join(folder, 'latest.mp3'), join(folder, 'previous.mp3'));
    expect(await importAll({})).toEqual({ previous: before.latest });
    const after = await importAll({ latest: 'three' });
    expect(after).toEqual({ previous: before.latest, latest: expect.any(String) });
    expect([before.latest, before.previous]).not.toContain(after.latest);
  });

  it.each(['unpublished', 'removed'] as const)(
    'take the numbers before them from an episode that was deleted and %s',
    async (state) => {
      const before = await importAll({ '01': 'one', '02': 'two', '03': 'three', '04': 'four' });
      const slug = await withdraw(before['02'], state);
      await rm(join(folder, '02.mp3'));
      for (const number of [3, 4])
        await rename(join(folder, `0${number}.mp3`), join(folder, `0${number - 1}.mp3`));
      const after = await importAll({});
      expect(after).toEqual({ '01': before['01'], '02': before['03'], '03': before['04'] });
      const unchanged = { added: [], changed: [], unchanged: 3, duplicates: [] };
      expect(await runImport()).toMatchObject({ ...unchanged, withdrawn: 0 });

      await write(folder, '05.mp3', await readUniqueRecording('two'));
      expect(await runImport()).toMatchObject({ ...unchanged, withdrawn: 1 });
      if (state === 'removed') return;
      await administer((admin) => admin.publish(slug));
      expect(await importAll({})).toEqual({ ...after, '05': before['02'] });
    },
  );

  it.each(['unpublished', 'removed'] as const)(
    'are not published at the path of another one while they are %s',
    async (state) => {
      const before = await importAll({ '01': 'one', '02': 'two' });
      const slug = await withdraw(before['02'], state);
      await rename(join(folder, '02.mp3'), join(folder, '01.mp3'));
      expect(await importAll({})).toEqual({ '01': before['01'] });
      const audio = db
        .selectFrom('article')
        .select('source_audio_hash')
        .where('id', '=', before['01'] ?? '');
      const { source_audio_hash: hash } = await audio.executeTakeFirstOrThrow();
      expect(hash).toBe(hashOf(await readUniqueRecording('one')));
      expect(await runImport()).toMatchObject({ changed: [], unchanged: 0, withdrawn: 1 });
      await administer((admin) => admin.publish(slug));
      const published = await importAll({});
      expect(published).toEqual(state === 'unpublished' ? { '01': before['02'] } : { '01': before['01'] });
    },
  );

  it('take the path of an unpublished one, and the one at their old path is another', async () => {
    const before = await importAll({ previous: 'one', latest: 'two' });
    await withdraw(before.previous, 'unpublished');
    await rename(join(folder, 'latest.mp3'), join(folder, 'previous.mp3'));
    expect(await importAll({})).toEqual({ previous: before.latest });
    const after = await importAll({ latest: 'three' });
    expect(after).toEqual({ previous: before.latest, latest: expect.any(String) });
    expect([before.latest, before.previous]).not.toContain(after.latest);
  });

  it.each([
    ['is new', 'three'],
    ['has an article at its path', 'two'],
  ])('are left out at the path of an unpublished one where their audio %s', async (_, audio) => {
    const before = await importAll({ '01': 'one', '02': 'two' });
    await withdraw(before['01'], 'unpublished');
    expect(await importAll({ '01': audio })).toEqual({ '02': before['02'] });
    const result = { added: [], changed: [], unchanged: 1, withdrawn: 1, duplicates: [], failed: [] };
    expect(await runImport()).toMatchObject(result);
  });

  it('leave the article at its path where their audio is nowhere else', async () => {
    const before = await importAll({ latest: 'one' });
    const after = await importAll({ latest: 'two', another: 'three' });
    expect(after).toEqual({ latest: before.latest, another: expect.any(String) });
  });
});

describe('[CAT-10] a copy of a recording in another folder', () => {
  it('is a duplicate as long as the imported file exists, and leaves the article as it is', async () => {
    await copyRecording('constant.mp3', join(folder, 'a/tones.mp3'));
    await write(folder, 'a/tones.md', markdown);
    await copyRecording('constant.mp3', join(folder, 'b/copy.mp3'));
    await runImport({ source: join(folder, 'a') });
    expect(await runImport({ source: join(folder, 'b') })).toMatchObject({
      changed: [],
      duplicates: [{ name: 'copy.mp3', as: expect.stringMatching(/^the-three-tones/) }],
    });
    expect(await findTitles()).toEqual(['The three tones']);

    await rm(join(folder, 'a'), { recursive: true });
    expect(await runImport({ source: join(folder, 'b') })).toMatchObject({ added: [], duplicates: [] });
    expect(Object.values(await findSources())).toEqual(['b/copy.mp3']);
  });

  it('is a duplicate of an episode of a feed', async () => {
    await copyRecording('constant.mp3', join(folder, 'tones.mp3'));
    await runImport();
    await db
      .updateTable('article')
      .set({ source: 'feed:https://tones.example#one' })
      .where('source', 'is not', null)
      .execute();
    expect((await runImport()).duplicates).toMatchObject([{ name: 'tones.mp3' }]);
  });
});

describe('[CAT-10] a recording that was moved after its tags changed', () => {
  beforeEach(async () => {
    await copyRecording('constant.mp3', join(folder, 'tones.mp3'));
    await runImport();
    await write(folder, 'tones.mp3', await readUniqueRecording('another tag'));
    expect(await runImport()).toMatchObject({ changed: [], unchanged: 1 });
  });

  it('is the same article', async () => {
    const [id = ''] = Object.keys(await findSources());
    await rename(join(folder, 'tones.mp3'), join(folder, 'moved.mp3'));
    expect(await runImport()).toMatchObject({ added: [], unchanged: 1 });
    expect(await findSources()).toEqual({ [id]: 'moved.mp3' });
  });

  it('is not imported while the article is unpublished', async () => {
    const { slug } = await db
      .selectFrom('article')
      .select('slug')
      .where('source', 'is not', null)
      .executeTakeFirstOrThrow();
    await administer((admin) => admin.unpublish(slug));
    await rename(join(folder, 'tones.mp3'), join(folder, 'moved.mp3'));
    expect(await runImport()).toMatchObject({ added: [], withdrawn: 1 });
  });
});
