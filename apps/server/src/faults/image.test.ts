import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createFolder } from '@escucho/database/testing';
import { afterAll, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { startBucket } from '../../../../services/portal/src/testing/fakes/s3.ts';
import { copyRecording } from '../../../../services/portal/src/testing/recordings.ts';
import { startBreakableDatabase } from '../testing/faults/breakable-database.ts';
import { findFreePort } from '../testing/product.ts';

const run = promisify(execFile);
const MAX_BYTES = 250_000_000;
const image = process.env.IMAGE ?? 'localhost/escucho-test';

const buildah = (...args: string[]): string =>
  execFileSync('buildah', args, {
    encoding: 'utf8',
    env: { ...process.env, STORAGE_DRIVER: process.env.STORAGE_DRIVER ?? 'vfs' },
  }).trim();

const imageSchema = z.object({
  Docker: z.object({
    config: z.object({
      User: z.string(),
      WorkingDir: z.string(),
      Env: z.array(z.string()),
      Cmd: z.array(z.string()),
      Healthcheck: z.object({ Test: z.array(z.string()) }),
      Labels: z.record(z.string(), z.string()),
    }),
  }),
});

const container = buildah('from', '--pull-never', image);
afterAll(() => void buildah('rm', container));
const root = buildah('mount', container);
const { config } = imageSchema.parse(JSON.parse(buildah('inspect', '--type', 'image', image))).Docker;

const directory = await createFolder();
const recordings = join(directory, 'recordings');
for (const name of ['constant.mp3', 'varying.mp3', 'tones.m4a', 'tones.opus'] as const)
  await copyRecording(name, join(recordings, name === 'tones.opus' ? 'spoken.opus' : name));
const database = await startBreakableDatabase(join(directory, 'database'));
const bucket = await startBucket();
const port = await findFreePort();
const settings = {
  PORT: String(port),
  HOST: '127.0.0.1',
  PUBLIC_URL: `http://127.0.0.1:${port}`,
  DATABASE_URL: database.url,
  DEMO: 'true',
  ALLOW_INSECURE: 'database,backup',
  LOG_LEVEL: 'silent',
  MEDIA_STORE: 's3://escucho/media',
  AWS_ENDPOINT_URL_S3: bucket.endpoint,
  AWS_ACCESS_KEY_ID: 'S3RVER',
  AWS_SECRET_ACCESS_KEY: 'S3RVER',
  // Nobody listens there: it makes the process load OpenTelemetry.
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
};

/** Mounts a container's file systems: the image read-only; only /tmp and /data, which are in memory, can be written to. */
const mounts = `
set -e
mkdir -p "$ROOT/dev" "$ROOT/proc"
mount --bind "$ROOT" "$ROOT"
mount -o remount,bind,ro "$ROOT"
mount --rbind /dev "$ROOT/dev"
mount -t proc proc "$ROOT/proc"
mount -t tmpfs -o mode=1777 tmp "$ROOT/tmp"
mount -t tmpfs -o mode=700,uid=10001,gid=10001 data "$ROOT/data"
mkdir "$ROOT/tmp/recordings"
mount --bind "$RECORDINGS" "$ROOT/tmp/recordings"
exec "$@"`;

/** Returns the arguments of `unshare` that run a command as a container does, with the image's user and environment. */
function toArguments(command: readonly string[]): string[] {
  const [uid, gid] = config.User.split(':');
  const entries = [...config.Env, ...Object.entries(settings).map(([name, value]) => `${name}=${value}`)];
  const environment = ['env', '-i', ...entries];
  const enter = [
    '/usr/bin/unshare',
    `--root=${root}`,
    `--wd=${config.WorkingDir}`,
    `--setgid=${gid}`,
    `--setuid=${uid}`,
  ];
  const shell = ['bash', '-c', `ROOT=${root} RECORDINGS=${recordings}; ${mounts}`, 'bash'];
  return [
    '--mount',
    ...shell,
    'setpriv',
    '--no-new-privs',
    '--clear-groups',
    ...environment,
    ...enter,
    ...command,
  ];
}

const runInContainer = (...command: string[]) => run('unshare', toArguments(command));

/** The product, which the tests use in the order of this file. */
const product: ChildProcess = spawn('unshare', toArguments(config.Cmd), {
  stdio: ['ignore', 'ignore', 'inherit'],
});
afterAll(async () => {
  product.kill();
  await once(product, 'exit');
});
const get = (path: string, headers = {}) => fetch(new URL(path, settings.PUBLIC_URL), { headers });

it('starts on a read-only file system, with its media in S3', async () => {
  const isReady = () =>
    get('/health/ready').then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(isReady, { timeout: 120_000 }).toBe(true);
});

it('has less than 250 MB, a user that is not root, labels and a health check', async () => {
  const { stdout } = await run('du', ['--bytes', '--summarize', root]);
  expect(Number.parseInt(stdout, 10)).toBeLessThan(MAX_BYTES);
  expect(config.User).toBe('10001:10001');
  expect(config.Labels).toMatchObject({ 'org.opencontainers.image.title': 'Escucho' });
  const [kind, ...check] = config.Healthcheck.Test;
  expect(kind).toBe('CMD');
  await runInContainer(...check);
});

it('has no packages of development, no sources and no shell', async () => {
  const names = ['typescript', 'vite', 'vitest', '@escucho/bench', '*.ts', 'sh', 'bash', 'npm'];
  const { stdout } = await run('find', [root, ...names.flatMap((name) => ['-o', '-name', name]).slice(1)]);
  expect(stdout).toBe('');
});

it('writes to /data and /tmp only', async () => {
  const write = (path: string) => runInContainer('node', '-e', `fs.writeFileSync('${path}/file', '')`);
  await write('/data');
  await write('/tmp');
  await expect(write('/app')).rejects.toThrow(/EROFS/);
  await expect(write('/etc')).rejects.toThrow(/EROFS/);
});

it('plays a track to visitors, from media in S3', async () => {
  const showcase = await (await get('/api/catalogue/showcase?language=en')).json();
  const { sample } = z.object({ sample: z.object({ url: z.string() }) }).parse(showcase);
  const audio = await get(sample.url, { range: 'bytes=0-9999' });
  expect(audio.status).toBe(206);
  expect((await audio.arrayBuffer()).byteLength).toBe(10_000);
  expect(audio.headers.get('content-type')).toBe('audio/mpeg');
});

it('imports recordings of each kind with its ffmpeg, which measures and encodes', async () => {
  const { stdout } = await runInContainer(
    'node',
    'apps/server/dist/content.js',
    'import',
    '/tmp/recordings',
    '--language',
    'en',
    '--level',
    'A2',
    '--topic',
    'science',
    '--narrator',
    'Ada',
  );
  expect(stdout.trim()).toBe('4 new, 0 changed, 0 unchanged, 0 left out.');
});

it.each(['audit', 'billing', 'content', 'db', 'identity'])('runs the commands of %s', async (name) => {
  const { stdout } = await runInContainer('node', `apps/server/dist/${name}.js`, '--help');
  expect(stdout).toContain(`npm run ${name} -- `);
});
