import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { test } from '@playwright/test';
import { expect } from '../../support/browser.ts';
import { root } from '../../support/product.ts';

const folder = join(root, 'apps/server/dist/assets');
const execute = promisify(execFile);

/** Returns why a file does not load; undefined if it does. */
async function findLoadError(file: string): Promise<string | undefined> {
  const url = pathToFileURL(join(folder, file)).href;
  return execute(process.execPath, ['--input-type=module', '--eval', `await import('${url}')`]).then(
    () => undefined,
    (error: Error) => `${file}: ${error.message}`,
  );
}

// A bundle may order modules otherwise than Node.js does, and what is loaded when it is needed fails only then.
test('every file of the server’s bundle loads by itself', async () => {
  const files = readdirSync(folder).filter((file) => file.endsWith('.js'));
  expect(files.length).toBeGreaterThan(10);
  const errors: string[] = [];
  for (const file of files) {
    const error = await findLoadError(file);
    if (error !== undefined) errors.push(error);
  }
  expect(errors).toEqual([]);
});
