import { createHash, randomBytes } from 'node:crypto';
import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createFolder } from '@escucho/database/testing';
import { describe, expect, it } from 'vitest';
import { startBucket } from '../testing/fakes/s3.ts';
import { openMediaStore } from './file-store.ts';
import { hashFile, type MediaStore, toKey } from './media-store.ts';

const directory = await createFolder();
const folder = await createFolder();
const bucket = await startBucket();
const keyFor = (bytes: Buffer) => toKey(createHash('sha256').update(bytes).digest('hex'), 'mp3');
const keysOf = async (store: MediaStore) => {
  const keys: string[] = [];
  for await (const key of store.keys()) keys.push(key);
  return keys.sort();
};

describe.each([
  ['files', { directory }],
  ['a bucket', bucket.toLocation('a/folder')],
  ['a whole bucket', bucket.toLocation('')],
])('[CAT-10] a store of %s', (_name, place) => {
  const small = randomBytes(1000);
  // Large enough for a multipart upload.
  const large = randomBytes(6_000_000);

  it('returns stored files, whole and by range, and lists their keys', async () => {
    const store = await openMediaStore(place);
    await store.check();
    for (const bytes of [small, large]) {
      const key = keyFor(bytes);
      await store.put(key, Readable.from([bytes.subarray(0, 500), bytes.subarray(500)]));
      expect(await store.stat(key)).toEqual({ size: bytes.length, modified: expect.any(Date) });
      expect((await buffer(await store.read(key))).equals(bytes)).toBe(true);
      const range = await buffer(await store.read(key, { start: 10, end: 19 }));
      expect(range.equals(bytes.subarray(10, 20))).toBe(true);
    }
    expect(await keysOf(store)).toEqual(expect.arrayContaining([keyFor(small), keyFor(large)]));
  });

  it('stores a copy of a file by its path', async () => {
    const store = await openMediaStore(place);
    for (const bytes of [randomBytes(1000), randomBytes(6_000_000), Buffer.alloc(0)]) {
      const path = join(folder, 'copied');
      await writeFile(path, bytes);
      const key = toKey(await hashFile(path), 'mp3');
      expect(key).toBe(keyFor(bytes));
      await store.put(key, path);
      expect((await buffer(await store.read(key))).equals(bytes)).toBe(true);
    }
    await expect(store.put(keyFor(small), join(folder, 'missing'))).rejects.toThrow('ENOENT');
  });

  it('stores nothing of an interrupted upload', async () => {
    const store = await openMediaStore(place);
    const key = keyFor(Buffer.from('never whole'));
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from('never');
        throw new Error('broken off');
      })(),
    );
    await expect(store.put(key, broken)).rejects.toThrow('broken off');
    expect(await store.stat(key)).toBeUndefined();
    expect(await keysOf(store)).not.toContain(key);
  });

  it('removes a file, and ignores a missing one', async () => {
    const store = await openMediaStore(place);
    const key = keyFor(small);
    await store.remove(key);
    await store.remove(key);
    expect(await store.stat(key)).toBeUndefined();
    await expect(store.read(key)).rejects.toThrow(expect.objectContaining({ name: 'MediaNotFoundError' }));
  });
});

it('[CAT-10] a store of files removes what a killed process had not stored after a day', async () => {
  const store = await openMediaStore({ directory });
  const listFiles = async () =>
    (await readdir(directory, { recursive: true })).filter((name) => /\w{8}-/.test(name));
  const bytes = new PassThrough();
  const upload = store.put(keyFor(Buffer.from('half')), bytes);
  bytes.write('half');
  await expect.poll(listFiles).toHaveLength(1);
  await openMediaStore({ directory });
  const [incomplete = ''] = await listFiles();
  expect(incomplete).not.toBe('');
  const dayAgo = Date.now() / 1000 - 86_400;
  await utimes(join(directory, incomplete), dayAgo, dayAgo);
  await openMediaStore({ directory });
  expect(await listFiles()).toEqual([]);
  bytes.destroy();
  await expect(upload).rejects.toThrow();
});
