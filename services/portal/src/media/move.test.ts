import { createHash, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createFolder } from '@escucho/database/testing';
import { expect, it } from 'vitest';
import { startBucket } from '../testing/fakes/s3.ts';
import { openMediaStore } from './file-store.ts';
import { type MediaStore, moveMedia, toKey } from './media-store.ts';

const directory = await createFolder();
const bucket = await startBucket();
const files = await openMediaStore({ directory: join(directory, 'media') });
const inBucket = await openMediaStore(bucket.toLocation('moved'));

const all = new Map(
  Array.from({ length: 12 }, (_, index) => {
    const bytes = randomBytes(500 + index);
    return [toKey(createHash('sha256').update(bytes).digest('hex'), 'mp3'), bytes];
  }),
);
const [first = '', second = '', third = ''] = all.keys();
for (const [key, bytes] of all) await files.put(key, Readable.from([bytes]));

async function expectWhole(store: MediaStore): Promise<void> {
  for (const [key, bytes] of all) expect((await buffer(await store.read(key))).equals(bytes)).toBe(true);
}

it('[CAT-10] moving media to a bucket copies every file once', async () => {
  expect(await moveMedia({ from: files, to: inBucket })).toEqual({ copied: 12, present: 0, failed: [] });
  await expectWhole(inBucket);
  expect(await moveMedia({ from: files, to: inBucket })).toEqual({ copied: 0, present: 12, failed: [] });
});

it('[CAT-10] moving media back copies only missing and damaged files', async () => {
  await files.remove(first);
  await writeFile(join(directory, 'media', second), randomBytes(501));
  expect(await moveMedia({ from: inBucket, to: files })).toEqual({ copied: 2, present: 10, failed: [] });
  await expectWhole(files);
});

it('[CAT-10] moving media reports a damaged source file and copies the others', async () => {
  const other = await openMediaStore(bucket.toLocation('other'));
  await writeFile(join(directory, 'media', third), 'not what it was');
  const seen: string[] = [];
  const onFile = (done: number, total: number) => seen.push(`${done} of ${total}`);
  const moved = await moveMedia({ from: files, to: other, onFile });
  expect(moved).toEqual({ copied: 11, present: 0, failed: [{ key: third, reason: 'is damaged' }] });
  expect(await other.stat(third)).toBeUndefined();
  expect([seen[0], seen.at(-1)]).toEqual(['1 of 12', '12 of 12']);
});
