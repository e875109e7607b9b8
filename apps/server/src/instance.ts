import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';

const instanceFile = z.object({
  userPoolId: z.string(),
  clientId: z.string(),
  identitySecret: z.string().check(z.minLength(32)),
  mediaSecret: z.string().check(z.minLength(32)),
  billing: z.object({
    sandboxKey: z.string(),
    productionKey: z.string(),
    secretKey: z.string().check(z.minLength(32)),
    webhookSecret: z.string().check(z.minLength(32)),
  }),
});

/** What makes this installation itself: its pool, its client, its keys and its secrets, made once and kept in the data directory. */
export type Instance = z.infer<typeof instanceFile>;

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const word = (length: number) =>
  Array.from(randomBytes(length), (byte) => letters[byte % letters.length]).join('');

function newInstance(): Instance {
  return {
    userPoolId: `local_${word(9)}`,
    clientId: word(26).toLowerCase(),
    identitySecret: randomBytes(48).toString('base64url'),
    mediaSecret: randomBytes(48).toString('base64url'),
    billing: {
      sandboxKey: `rcb_sb_${word(28)}`,
      productionKey: `rcb_${word(28)}`,
      secretKey: `sk_${word(40)}`,
      webhookSecret: randomBytes(48).toString('base64url'),
    },
  };
}

/**
 * Loads the installation's secrets, or makes them at the first start; what a newer version needs is made then. In: the data directory. The file is
 * readable by its owner only.
 */
export async function loadInstance(dataDir: string): Promise<Instance> {
  await mkdir(dataDir, { recursive: true });
  const path = join(dataDir, 'secrets.json');
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  const known: unknown = text === undefined ? undefined : JSON.parse(text);
  const whole = instanceFile.safeParse(known);
  if (whole.success) return whole.data;
  // Only what is missing is made: a file that holds something wrong is not ours to mend.
  const made = instanceFile.parse({ ...newInstance(), ...Object(known) });
  // Written whole or not at all: half a secrets file would lock everybody out.
  const file = await open(`${path}.new`, 'w', 0o600);
  await file.writeFile(`${JSON.stringify(made, null, 2)}\n`);
  await file.sync();
  await file.close();
  await rename(`${path}.new`, path);
  return made;
}
