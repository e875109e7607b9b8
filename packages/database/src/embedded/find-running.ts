import { existsSync } from 'node:fs';
import { readFile, readlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Connection } from '../connection.ts';
import { toConnection, tryConnect } from './owner.ts';
import { readPidFile } from './pid-file.ts';

/**
 * Returns the connection to the embedded server that runs on a data directory, without taking ownership, for commands
 * used next to the running product. Undefined when none runs there.
 */
export async function findRunningEmbedded(dataDir: string): Promise<Connection | undefined> {
  const requested = resolve(dataDir);
  const root = await readlink(join(requested, 'elsewhere')).catch(() => requested);
  const found = readPidFile(join(root, 'cluster'));
  if (!found) return undefined;
  const password = join(root, 'password');
  const connection = toConnection(
    found.address,
    existsSync(password) ? await readFile(password, 'utf8') : undefined,
  );
  const client = await tryConnect(connection);
  await client?.end();
  return client ? connection : undefined;
}
