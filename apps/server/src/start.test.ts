import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const main = fileURLToPath(new URL('main.ts', import.meta.url));
const directory = await mkdtemp(join(tmpdir(), 'escucho-start-'));
await chmod(directory, 0o755);
afterAll(() => rm(directory, { recursive: true, force: true }));

/** The product as a process. In: settings. */
function start(env: NodeJS.ProcessEnv): ChildProcess {
  const { DATABASE_URL: _, ...rest } = process.env;
  const settings = { ...rest, NODE_ENV: 'development', DATA_DIR: join(directory, 'data'), ...env };
  return spawn(process.execPath, ['--import', 'tsx', main], {
    env: settings,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function banner(child: ChildProcess): Promise<string> {
  let said = '';
  for await (const chunk of child.stdout ?? []) {
    said += chunk;
    if (said.includes('is ready')) break;
  }
  return said;
}

/** A port that something listens on, until it is closed. */
async function takenPort(): Promise<{ port: string; close: () => void }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return { port: String(typeof address === 'object' ? address?.port : 0), close: () => server.close() };
}

describe('starting the product', () => {
  it('makes everything at the first start, changes nothing at the second, and stops when asked', async () => {
    const { port, close } = await takenPort();
    close();
    for (const round of [1, 2]) {
      const child = start({ PORT: port });
      const said = await banner(child);
      expect(said, `start ${round}`).toContain(`http://localhost:${port}`);
      expect(said).toContain('demo@escucho.test');
      expect((await fetch(`http://127.0.0.1:${port}/health/ready`)).status).toBe(200);
      child.kill('SIGTERM');
      expect(await once(child, 'exit')).toEqual([0, null]);
    }
  }, 240_000);

  it.each([
    ['the port is taken', (port: string) => ({ PORT: port }), /Port \d+ is taken/],
    ['what is for sale is not there', () => ({ BILLING_OFFERINGS: '/nowhere.json' }), /BILLING_OFFERINGS/],
    [
      'no database answers',
      () => ({ DATABASE_URL: 'postgres://escucho@127.0.0.1:1/escucho' }),
      /127\.0\.0\.1:1 cannot be reached/,
    ],
    ['a setting is wrong', () => ({ PORT: 'x' }), /PORT: must be a port/],
    ['the data directory is a file', () => ({ DATA_DIR: main }), /main\.ts is not a directory/],
  ])(
    'says so in words when %s',
    async (_, settings, sentence) => {
      const { port, close } = await takenPort();
      const child = start(settings(port));
      const [said, [code]] = await Promise.all([text(child.stderr ?? process.stdin), once(child, 'exit')]);
      close();
      expect(code).toBe(1);
      expect(said).toMatch(sentence);
      // Nothing else: what was begun ends in order, without complaints of its own.
      expect(said.trim().split('\n').length).toBeLessThan(3);
      expect(said).not.toMatch(/^\s+at /m);
    },
    240_000,
  );
});
