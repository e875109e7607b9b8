import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

const prepare = new URL('prepare.mjs', import.meta.url).href;

it('an .env that cannot be read ends the start with a message', () => {
  // A directory, since root may read every file.
  const code = `import { loadEnvFile } from '${prepare}'; loadEnvFile('/none/.env'); loadEnvFile('/');`;
  const args = ['--input-type=module', '--eval', code];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect([status, stderr.trim()]).toEqual([
    1,
    '/ cannot be read. It must be a file that this account may read.',
  ]);
});
