import { spawn } from 'node:child_process';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '@escucho/database';
import { createFolder, createTestDatabase, toDatabaseUrl } from '@escucho/database/testing';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startBucket } from '../../../../services/portal/src/testing/fakes/s3.ts';
import { executeCommand } from './command.ts';
import { contentCommandLine } from './content.ts';

const command = fileURLToPath(new URL('content.ts', import.meta.url));
const sound = fileURLToPath(
  new URL('../../../../services/portal/src/testing/recordings/constant.mp3', import.meta.url),
);
const bytes = await readFile(sound);
const connection = await createTestDatabase();
const db = openDatabase<object>({ connection, schema: 'portal', name: 'command tests' });
const root = await createFolder();
const folder = join(root, 'recordings');
const data = join(root, 'data');
// Also on a machine with ffmpeg, so that both ways to run the command import the same.
vi.stubEnv('PATH', root);
afterAll(async () => {
  vi.unstubAllEnvs();
  await db.destroy();
});

const env = { NODE_ENV: 'development', DATA_DIR: data, DATABASE_URL: toDatabaseUrl(connection) };

/** Starts the command as a process with the test database. */
function start(...args: string[]) {
  return spawn(process.execPath, ['--import', 'tsx', command, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Runs the command as a process to its end. */
async function runProcess(...args: string[]) {
  const child = start(...args);
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, output: output.trim(), errors };
}

/** Runs the command in this process to its end. */
async function runWith(env: NodeJS.ProcessEnv, args: string[]) {
  let errors = '';
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
    errors += chunk;
    return true;
  });
  try {
    const result = await executeCommand(contentCommandLine, args, env);
    if (result.error !== undefined) errors += `${result.error}\n`;
    return { code: result.exitCode, output: result.output, errors };
  } finally {
    write.mockRestore();
  }
}
const run = (...args: string[]) => runWith(env, args);

/** Writes a recording: the same sound with another ID3 tag, since recordings must differ. */
const writeRecording = (name: string) =>
  writeFile(join(folder, `${name}.mp3`), Buffer.concat([bytes, Buffer.from(`TAG${name}`.padEnd(128, '\0'))]));
const articleText = (fields = '') =>
  `---\nlevel: A2\ntopic: science\n${fields}---\nOne tone. Another tone.\n`;
async function findImported(): Promise<{ title: string; slug: string }[]> {
  const { rows } = await sql<{ title: string; slug: string }>`
    select title, slug from article where source is not null order by title`.execute(db);
  return rows;
}
async function findNotifications(): Promise<string[]> {
  const { rows } = await sql<{
    title_en: string;
  }>`select title_en from notification order by created_at`.execute(db);
  return rows.map(({ title_en }) => title_en);
}
async function findMediaFiles(): Promise<string[]> {
  const found = await readdir(join(data, 'media'), { recursive: true }).catch(() => []);
  return found.filter((name) => name.includes('.'));
}

beforeEach(async () => {
  await rm(root, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await sql`delete from playlist`.execute(db);
  await sql`delete from article`.execute(db);
  await sql`delete from withdrawn_article`.execute(db);
  await sql`delete from notification`.execute(db);
});

describe('[CAT-10] npm run content -- import', { timeout: 180_000 }, () => {
  it('reports imported and failed files, and exits with 1 if any failed', async () => {
    await writeRecording('one');
    await writeFile(join(folder, 'one.md'), articleText('title: The first\n'));
    await writeFile(join(folder, 'bad\u0007name.mp3'), 'no sound');
    const first = await runProcess('import', folder, '--language', 'en', '--narrator', 'Ada');
    expect(first).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^1 new, 0 changed, 0 unchanged, 1 left out\./),
    });
    // Control characters of file names do not reach the terminal.
    expect(first.errors).toContain('bad name.mp3: is no audio that can be read\n');
    expect(await findNotifications()).toEqual(['There is something new']);

    await rm(join(folder, 'bad\u0007name.mp3'));
    const again = await run('import', folder, '--language', 'en', '--narrator', 'Ada');
    expect(again).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^0 new, 0 changed, 1 unchanged, 0 left out\./),
    });
    expect(await findNotifications()).toHaveLength(1);
    expect(await findImported()).toMatchObject([{ title: 'The first' }]);
  });

  it('continues after being killed, announces all new articles, and leaves no partial files', async () => {
    const list = { key: 'own', name: 'Our own', titles: { en: 'Our own', es: 'Lo nuestro' }, articles: [] };
    await writeFile(join(root, 'lists.json'), JSON.stringify([list]));
    await run('playlists', join(root, 'lists.json'));
    const names = Array.from({ length: 10 }, (_, index) => `tone ${String(index).padStart(2, '0')}`);
    for (const name of names) {
      await writeRecording(name);
      await writeFile(join(folder, `${name}.md`), articleText(`title: ${name}\n`));
    }
    const args = ['import', folder, '--language', 'en', '--narrator', 'Ada', '--playlist', 'own'];
    const child = start(...args);
    const ended = new Promise((resolve) => child.on('close', resolve));
    await vi.waitUntil(async () => (await findImported()).length >= 2, { timeout: 120_000, interval: 20 });
    child.kill('SIGKILL');
    await ended;
    const before = (await findImported()).length;
    expect(before).toBeLessThan(names.length);

    const { code, output: summary } = await runProcess(...args);
    expect(code).toBe(0);
    const [, fresh, unchanged] = /^(\d+) new, 0 changed, (\d+) unchanged, 0 left out/.exec(summary) ?? [];
    expect(Number(fresh) + Number(unchanged)).toBe(names.length);
    expect(Number(unchanged)).toBeGreaterThanOrEqual(before);
    expect((await findImported()).map(({ title }) => title)).toEqual(names);
    // Two pictures each, and the sound, which all share, once: partial work was completed under the same names.
    const whole = (await findMediaFiles()).filter((name) => /\.(mp3|svg|webp)$/.test(name));
    expect(whole).toHaveLength(2 * names.length + 1);
    expect(await stat(join(data, 'importing')).catch(() => undefined)).toBeUndefined();
    const { rows: placed } = await sql<{ title: string }>`
      select title from playlist_item join article on id = article_id order by sort_key`.execute(db);
    expect(placed.map(({ title }) => title)).toEqual(names);
    await run(...args);
    expect(await findNotifications()).toEqual(['10 new articles to listen to']);
  });

  it('reads a path relative to the directory in which npm was run', async () => {
    await writeFile(join(folder, 'lists.json'), '{}');
    vi.stubEnv('INIT_CWD', root);
    const { errors } = await runProcess('playlists', 'recordings/lists.json');
    expect(errors).toContain('recordings/lists.json: the file: ');
  });

  it('exits with 2 and prints the help for an unknown command, which it names', async () => {
    expect(await runProcess('conjure')).toMatchObject({
      code: 2,
      errors: expect.stringContaining('There is no command conjure.'),
      output: expect.stringContaining('npm run content -- COMMAND'),
    });
  });

  it.each([
    ['an import without a source', ['import'], 1, /Import what\?/],
    ['an import of an empty path', ['import', ''], 1, /Import what\?/],
    [
      'a feed at a private address',
      ['import', 'http://127.0.0.1:1/feed'],
      1,
      /127\.0\.0\.1:1 is a private address/,
    ],
    ['an import of one recording', ['import', sound], 1, /constant\.mp3: is a recording: import the folder/],
    ['an unknown option', ['import', '.', '--loud'], 1, /--loud/],
    ['a folder without recordings', ['import', folder, '--quiet'], 0, /^There is nothing to import\./],
    ['an unknown option of another command', ['publish', 'x', '--quite'], 1, /--quite/],
    ['an unknown playlist, before anything is imported', ['import', '.', '--playlist', 'x'], 1, /playlist x/],
    [
      'a file of playlists that is no list',
      ['playlists', 'package.json'],
      1,
      /^package\.json: the file: .*like content/m,
    ],
    ['a notification of a file and of options', ['notify', 'x', '--title-en', 'A'], 1, /not both/],
    [
      'options that no recording can use, before anything is imported',
      ['import', folder, '--language', 'fr', '--level', 'Z9', '--kind', 'visual-book'],
      1,
      /^Not usable: --language \(en or es\), --level \(A1, .*\), --kind \(article or audiobook\)\. Nothing/,
    ],
    ['a load of a folder without articles', ['load', folder], 1, /recordings has no folder library\./],
    [
      'a media store of another kind',
      ['move-media', '--from', 'ftp://x', '--to', 'file:x'],
      1,
      /--from: must be file:PATH or s3/,
    ],
    [
      'a directory of media that does not exist',
      ['move-media', '--from', `file:${folder}/nowhere`, '--to', `file:${folder}/new`],
      1,
      /^--from: .*nowhere does not exist\./,
    ],
  ])('refuses %s with a message', async (_name, args, code, message) => {
    const ended = await run(...args);
    expect(ended.code).toBe(code);
    expect(ended.output + ended.errors).toMatch(message);
    expect(ended.errors).not.toMatch(/^\s+at /m);
  });
});

it('warns of a media store without the catalogue’s recordings, and works on', async () => {
  await writeRecording('stray');
  await writeFile(join(folder, 'stray.md'), articleText());
  await mkdir(join(root, 'library'));
  const importAll = ['import', folder, '--language', 'en', '--narrator', 'Ada'];
  const runIn = (store: string, args: string[]) =>
    runWith({ ...env, MEDIA_STORE: `file:${join(root, store)}` }, args);
  const warns = {
    code: 0,
    errors: expect.stringMatching(/^Warning: file:.* has no recordings of this catalogue/m),
  };
  const isSilent = { code: 0, errors: expect.not.stringContaining('Warning') };
  expect(await runIn('own', importAll)).toMatchObject(isSilent);
  expect(await runIn('other', ['load', root])).toMatchObject(warns);
  expect(await runIn('other', importAll)).toMatchObject(warns);
  // The import has stored them.
  expect(await runIn('other', importAll)).toMatchObject(isSilent);
});

describe('[CAT-07] notifications from a file', { timeout: 180_000 }, () => {
  const good = { key: 'good', titleEn: 'a', bodyEn: 'b', titleEs: 'c', bodyEs: 'd' };
  it.each([
    ['a missing field', { ...good, key: 'bad', titleEs: undefined }, '1.titleEs'],
    ['text of two lines', { ...good, key: 'bad', bodyEn: 'one\ntwo' }, 'bad: .*Look at: bodyEn'],
  ])('with %s is refused as a whole, with the name of the field', async (_name, bad, reason) => {
    await writeFile(join(root, 'notifications.json'), JSON.stringify([good, bad]));
    const { code, errors } = await run('notify', join(root, 'notifications.json'));
    expect([code, errors]).toEqual([1, expect.stringMatching(reason)]);
    expect(await findNotifications()).toEqual([]);
  });
});

describe('[CAT-10] the commands of an editor', { timeout: 180_000 }, () => {
  it('import, list, edit, place, unpublish, publish, notify, move the media, remove', async () => {
    await writeRecording('one');
    await writeFile(join(folder, 'one.md'), articleText('title: The first\n'));
    const list = { key: 'own', name: 'Our own', titles: { en: 'Our own', es: 'Lo nuestro' }, articles: [] };
    await writeFile(join(root, 'lists.json'), JSON.stringify([list]));
    expect(await run('playlists', join(root, 'lists.json'))).toMatchObject({
      output: '1 playlists new or changed.',
    });
    await run('import', folder, '--language', 'en', '--narrator', 'Ada', '--playlist', 'own');
    const [{ slug } = { slug: '' }] = await findImported();
    expect((await run('playlists')).output).toContain('Our own  1 tracks');
    expect((await run('list', 'the', 'first')).output).toBe(`${slug}  en A2 0.1 min Ada  The first`);
    expect((await run('edit', slug, '--title', 'The very first')).output).toBe('Changed: The very first');
    expect((await run('unpublish', slug)).output).toBe('Unpublished: The very first');
    expect((await run('list')).output).toBe(`${slug}  unpublished  The very first`);
    expect(await run('publish', slug, 'nowhere')).toMatchObject({
      code: 1,
      errors: 'Published: The very first\nnowhere was not taken out of the catalogue.\n',
    });
    const notification = {
      key: 'spring',
      titleEn: 'Spring',
      bodyEn: 'Is here.',
      titleEs: 'Primavera',
      bodyEs: 'Ya está.',
    };
    await writeFile(join(root, 'notifications.json'), JSON.stringify([notification]));
    const notify = () => run('notify', join(root, 'notifications.json'));
    expect((await notify()).output).toBe('1 sent to every user, 0 sent before.');
    expect((await notify()).output).toBe('0 sent to every user, 1 sent before.');
    expect(await findNotifications()).toEqual(['There is something new', 'There is something new', 'Spring']);
    const [newest = ''] = (await run('notifications')).output
      .split('\n')
      .filter((line) => line.endsWith('  Spring'));
    expect(newest).toMatch(/^\S{36} {2}\d{4}-\d\d-\d\dT\d\d:\d\dZ {2}Spring$/);
    const [id = ''] = newest.split(' ');
    expect((await run('take-back', id)).output).toBe('Taken back: Spring');
    expect(await run('take-back', id)).toMatchObject({
      code: 1,
      errors: `There is no notification ${id}.\n`,
    });
    expect((await notify()).output).toBe('0 sent to every user, 1 sent before.');
    expect((await run('notifications')).output).not.toContain('Spring');
    const to = join(root, 'moved');
    const moved = await run('move-media', '--from', `file:${join(data, 'media')}`, '--to', `file:${to}`);
    expect(moved).toMatchObject({ code: 0, output: '3 copied, 0 there before, 0 failed.' });
    expect(await run('remove', slug)).toMatchObject({
      code: 1,
      errors: `This deletes ${slug} permanently. Confirm it by --yes.\n`,
    });
    expect((await run('remove', slug, '--yes')).output).toBe('Removed: The very first');
    expect(await findImported()).toEqual([]);
    expect((await readdir(to, { recursive: true })).filter((name) => name.includes('.'))).toHaveLength(3);
  });
});

it('moves media to a bucket whose secret key is in a file', async () => {
  const { endpoint } = await startBucket();
  await mkdir(join(root, 'media'));
  await writeFile(join(root, 'key'), 'S3RVER\n');
  const bucketEnv = {
    ...env,
    AWS_ENDPOINT_URL_S3: endpoint,
    AWS_ACCESS_KEY_ID: 'S3RVER',
    AWS_SECRET_ACCESS_KEY_FILE: join(root, 'key'),
  };
  const args = ['move-media', '--from', `file:${join(root, 'media')}`, '--to', 's3://escucho/media'];
  const moved = await executeCommand(contentCommandLine, args, bucketEnv);
  expect(moved).toEqual({ output: '0 copied, 0 there before, 0 failed.', exitCode: 0 });
});
