import { createFolder } from '@escucho/database/testing';
import { expect, it } from 'vitest';
import { loadEnvFile } from './command.ts';

it('names a file of variables that cannot be read', async () => {
  const directory = await createFolder();
  expect(() => loadEnvFile(directory)).toThrow(`${directory}: cannot be read`);
  expect(() => loadEnvFile(`${directory}/.env`)).not.toThrow();
});
