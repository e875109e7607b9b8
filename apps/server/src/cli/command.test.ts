import { PassThrough } from 'node:stream';
import { createFolder } from '@escucho/database/testing';
import { expect, it, vi } from 'vitest';
import { confirmDeletion, loadEnvFile } from './command.ts';

it('names a file of variables that cannot be read', async () => {
  const directory = await createFolder();
  expect(() => loadEnvFile(directory)).toThrow(`${directory}: cannot be read`);
  expect(() => loadEnvFile(`${directory}/.env`)).not.toThrow();
});

it.each([
  ['y\n', undefined],
  [' Yes\n', undefined],
  ['\n', 'Nothing was deleted.'],
  ['no\n', 'Nothing was deleted.'],
  ['', 'Nothing was deleted.'],
])('asks on a terminal before it deletes: %j', async (answer, refusal) => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const keyboard = Object.assign(new PassThrough(), { isTTY: true });
  keyboard.end(answer);
  const deletion = confirmDeletion('the account ana', { yes: false }, keyboard);
  expect(await deletion.catch((error: Error) => error.message)).toBe(refusal);
  expect(write).toHaveBeenCalledWith('This deletes the account ana permanently. Continue? [y/N] ');
});
