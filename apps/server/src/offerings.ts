import { readFile } from 'node:fs/promises';
import { parseCatalogue } from '@escucho/billing';
import { EnvError } from '@escucho/service-kit';

/** What is for sale, from a file of JSON. Throws `EnvError` that says what is wrong with it. */
export async function readOfferings(path: string): Promise<unknown> {
  try {
    return parseCatalogue(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    throw new EnvError([`BILLING_OFFERINGS: ${error instanceof Error ? error.message : String(error)}`]);
  }
}
