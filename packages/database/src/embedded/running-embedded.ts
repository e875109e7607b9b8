import { existsSync } from 'node:fs';
import { readFile, readlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Connection } from '../connection.ts';
import { connectionTo, tryConnect } from './owner.ts';
import { readPidFile } from './pid-file.ts';

/**
 * The way into the embedded server that runs on a data directory, without owning it: for a command used beside the
 * running program. Undefined when none runs there.
 */
export async function runningEmbedded(dataDir: string): Promise<Connection | undefined> {
  const asked = resolve(dataDir);
  const root = await readlink(join(asked, 'elsewhere')).catch(() => asked);
  const found = readPidFile(join(root, 'cluster'));
  if (!found) return undefined;
  const password = join(root, 'password');
  const connection = connectionTo(
    found.door,
    existsSync(password) ? await readFile(password, 'utf8') : undefined,
  );
  const client = await tryConnect(connection);
  await client?.end();
  return client ? connection : undefined;
}
