import fs, { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { createFolder } from '@escucho/database/testing';
import { describe, expect, it, vi } from 'vitest';
import { loadInstance } from './instance.ts';

/** Runs a function as in a process that is killed before it deletes files. */
async function runWithoutDeletion<T>(run: () => Promise<T>): Promise<T> {
  const spy = vi.spyOn(fs, 'rm').mockResolvedValue();
  syncBuiltinESMExports();
  try {
    return await run();
  } finally {
    spy.mockRestore();
    syncBuiltinESMExports();
  }
}

const directory = await createFolder();
const dataDir = join(directory, 'data');

describe('loadInstance', () => {
  it.each(['', '{', '[]', '{"userPoolId":"local_a"}'])(
    'refuses a damaged file and does not replace it: %j',
    async (text) => {
      const damaged = join(directory, 'damaged');
      await mkdir(damaged, { recursive: true });
      await writeFile(join(damaged, 'secrets.json'), text);
      await expect(loadInstance(damaged)).rejects.toThrow(/secrets\.json: is damaged/);
      expect(await readFile(join(damaged, 'secrets.json'), 'utf8')).toBe(text);
    },
  );

  it('adds a missing token secret and replaces nothing else', async () => {
    const older = join(directory, 'older');
    const { readerTokenSecret: _, ...before } = await loadInstance(older);
    await writeFile(join(older, 'secrets.json'), JSON.stringify(before));
    const upgraded = await loadInstance(older);
    expect(upgraded).toEqual({ ...before, readerTokenSecret: expect.stringMatching(/^[\w-]{64}$/) });
    expect(JSON.parse(await readFile(join(older, 'secrets.json'), 'utf8'))).toEqual(upgraded);
    expect(await loadInstance(older)).toEqual(upgraded);
  });

  it('creates the secrets once, readable by their owner only', async () => {
    const instance = await loadInstance(dataDir);
    expect(await loadInstance(dataDir)).toEqual(instance);
    const { mode } = await stat(join(dataDir, 'secrets.json'));
    expect(mode & 0o077).toBe(0);
  });

  it('creates the same secrets for processes that start at the same time', async () => {
    const shared = join(directory, 'shared');
    const [instance, ...others] = await Promise.all(Array.from({ length: 8 }, () => loadInstance(shared)));
    for (const other of others) expect(other).toEqual(instance);
    expect(await loadInstance(shared)).toEqual(instance);
    expect(await readdir(shared)).toEqual(['secrets.json']);
  });

  it('adds the same missing secret in processes that start at the same time', async () => {
    const shared = join(directory, 'shared older');
    const { readerTokenSecret: _, ...before } = await loadInstance(shared);
    await writeFile(join(shared, 'secrets.json'), JSON.stringify(before));
    const [instance, ...others] = await Promise.all(Array.from({ length: 8 }, () => loadInstance(shared)));
    expect(instance).toMatchObject(before);
    for (const other of others) expect(other).toEqual(instance);
    expect(await loadInstance(shared)).toEqual(instance);
    expect(await readdir(shared)).toEqual(['secrets.json']);
  });

  it('adds another secret when one is removed again, whatever a killed process left', async () => {
    const older = join(directory, 'killed');
    const { readerTokenSecret: _, ...before } = await loadInstance(older);
    const removeSecret = () => writeFile(join(older, 'secrets.json'), JSON.stringify(before));
    await removeSecret();
    const added = await runWithoutDeletion(() => loadInstance(older));
    expect((await readdir(older)).length).toBeGreaterThan(1);
    await removeSecret();
    const addedAgain = await loadInstance(older);
    expect(addedAgain).toMatchObject(before);
    expect(addedAgain.readerTokenSecret).not.toBe(added.readerTokenSecret);
  });
});
