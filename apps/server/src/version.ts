import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { getWorkspaceDirectory } from './storage.ts';

/** Returns the version of the product, e.g. `0.1.0`. */
export function getProductVersion(): string {
  const text = readFileSync(join(getWorkspaceDirectory('@escucho/server'), 'package.json'), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}
