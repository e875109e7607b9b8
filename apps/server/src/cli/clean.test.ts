import { createHash, randomBytes } from 'node:crypto';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { openDatabase } from '@escucho/database';
import { createFolder, createTestDatabase, toDatabaseUrl } from '@escucho/database/testing';
import { openMediaStore } from '@escucho/portal';
import { sql } from 'kysely';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { copyRecording } from '../../../../services/portal/src/testing/recordings.ts';
import { executeCommand } from './command.ts';
import { contentCommandLine } from './content.ts';

const connection = await createTestDatabase();
const db = openDatabase<object>({ connection, schema: 'portal', name: 'clean tests', maxConnections: 1 });
const root = await createFolder();
const directory = join(root, 'media');
vi.stubEnv('PATH', root);
afterAll(async () => {
  vi.unstubAllEnvs();
  await db.destroy();
});

const env = {
  NODE_ENV: 'development',
  DATA_DIR: join(root, 'data'),
  DATABASE_URL: toDatabaseUrl(connection),
  MEDIA_STORE: `file:${directory}`,
};
const run = (args: string[], variables = {}) =>
  executeCommand(contentCommandLine, args, { ...env, ...variables });

describe('[CAT-10] npm run content -- clean', () => {
  it('lists and deletes media that no article uses', async () => {
    await copyRecording('constant.mp3', join(root, 'recordings/tones.mp3'));
    const metadata = ['--language', 'en', '--level', 'B1', '--topic', 'travel', '--narrator', 'Bo'];
    expect((await run(['import', join(root, 'recordings'), ...metadata])).exitCode).toBe(0);
    const bytes = randomBytes(1_000_000);
    const hash = createHash('sha256').update(bytes).digest('hex');
    const key = `${hash.slice(0, 2)}/${hash.slice(2)}.mp3`;
    const store = await openMediaStore({ directory });
    await store.put(key, Readable.from(bytes));

    expect((await run(['clean'])).output.split('\n')).toEqual([
      `${key}  1000 kB  unused since ${new Date().toISOString().slice(0, 10)}`,
      'No article uses 1 file (1.0 MB).',
      'They can be deleted once they have been unused for 10 days.',
    ]);

    const before = new Date(Date.now() - 11 * 24 * 3_600_000);
    await utimes(join(directory, key), before, before);
    expect((await run(['clean'])).output).toContain('They can be deleted once');
    await sql`update unused_media set found_at = ${before}`.execute(db);
    expect((await run(['clean'])).output).toContain(
      'To delete 1 file (1.0 MB), unused for 10 days: npm run content -- clean --delete',
    );
    const backups = { BACKUP_TO: `file:${root}`, BACKUP_KEEP_DAYS: '12' };
    expect((await run(['clean', '--delete'], backups)).output).toMatch(/^Deleted 0 files.*12 days/ms);
    expect((await run(['clean', '--delete'])).output).toBe('Deleted 1 file (1.0 MB).');
    expect((await run(['clean'])).output).toBe('Every file is used.');
    const { rows } = await sql<{ command: string; arguments: string }>`
      select details ->> 'command' as command, details ->> 'arguments' as arguments from audit.event
      where type = 'admin_command' and details ->> 'arguments' = '--delete'`.execute(db);
    expect(rows).toContainEqual({ command: 'content clean', arguments: '--delete' });
  });
});
