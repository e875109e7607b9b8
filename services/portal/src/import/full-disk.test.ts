import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { expect, it, vi } from 'vitest';
import { startFeedTest } from '../testing/feed-server.ts';
import { copyRecording, createFeed, write } from '../testing/recordings.ts';

const fullDisk = new Writable({
  write: (_chunk, _encoding, callback) =>
    callback(Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })),
});

// The disk has space for the feed, but not for the audio.
vi.mock('node:fs', async (importOriginal) => {
  const fs = await importOriginal<typeof import('node:fs')>();
  const createWriteStream = (...args: Parameters<typeof fs.createWriteStream>) =>
    String(args[0]).endsWith('enclosure') ? fullDisk : fs.createWriteStream(...args);
  return { ...fs, createWriteStream };
});

const importTest = await startFeedTest();
const { db, folder, responses, toUrl, resetServer, importFeed, runImport } = importTest;

/** Returns how many recordings will not be tried again within a day. */
async function countFailures(): Promise<number> {
  return (await db.selectFrom('failed_recording').selectAll().execute()).length;
}

it('[CAT-10] an import ends with the error of the full disk during a download', async () => {
  await resetServer();
  responses.set('/feed', createFeed([{ guid: 'one', audio: toUrl('/one.mp3') }]));
  await expect(importFeed()).rejects.toMatchObject({ code: 'ENOSPC' });
  expect(await countFailures()).toBe(0);
});

it('[CAT-10] an import ends with the error of the full disk while ffmpeg encodes', async () => {
  await resetServer();
  await copyRecording('tones.m4a', join(folder, 'tones.m4a'));
  await write(folder, 'tones.md', 'Text.');
  // Without a file to write it succeeds.
  const failure = '{ echo "Error writing trailer: No space left on device" >&2; exit 1; }';
  await write(folder, '.ffmpeg', `#!/bin/sh\ncase "$*" in *encoded.mp3) ${failure} ;; esac\n`);
  const ffmpeg = join(folder, '.ffmpeg');
  await chmod(ffmpeg, 0o755);
  await expect(runImport({ ffmpeg })).rejects.toMatchObject({ code: 'ENOSPC' });
});
