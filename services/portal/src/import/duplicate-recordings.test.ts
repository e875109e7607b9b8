import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { startImportTest } from '../testing/imports.ts';
import { copyRecording, write } from '../testing/recordings.ts';

const importTest = await startImportTest();
const { folder, runImport, findTitles } = importTest;

const names = ['a', 'b', 'c', 'd', 'e', 'f'];
const invalidText = '---\nlevel: Z9\n---\nText.';
const validText = '---\ntitle: Valid\n---\nText.';

async function writeCopies(texts: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(texts)) {
    await copyRecording('constant.mp3', join(folder, `${name}.mp3`));
    await write(folder, `${name}.md`, text);
  }
}

beforeEach(importTest.reset);

describe('[CAT-10] recordings with the same audio', () => {
  it('are one article, and the others are duplicates of it', async () => {
    await writeCopies(Object.fromEntries(names.map((name) => [name, validText])));
    const { added, duplicates, failed } = await runImport();
    expect([added, failed]).toEqual([[{ slug: expect.any(String), title: 'Valid' }], []]);
    expect(duplicates).toHaveLength(names.length - 1);
    expect(new Set(duplicates.map(({ as }) => as)).size).toBe(1);
  });

  it.each(['a', 'd', 'f'])('are one article where only %s is valid', async (valid) => {
    await writeCopies(
      Object.fromEntries(names.map((name) => [name, name === valid ? validText : invalidText])),
    );
    const { added, duplicates, failed } = await runImport();
    expect(added).toMatchObject([{ title: 'Valid' }]);
    expect(failed.length + duplicates.length).toBe(names.length - 1);
    expect(await findTitles()).toEqual(['Valid']);
  });

  it('all fail when none is valid', async () => {
    await writeCopies(Object.fromEntries(names.map((name) => [name, invalidText])));
    const { added, duplicates, failed } = await runImport();
    expect([added, duplicates]).toEqual([[], []]);
    expect(failed.map(({ name }) => name).sort()).toEqual(names.map((name) => `${name}.mp3`));
  });
});
