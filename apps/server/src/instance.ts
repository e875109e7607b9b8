import { createHash, randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Connection } from '@escucho/database';
import { assertSecretsMatch } from '@escucho/identity';
import * as z from 'zod/mini';
import { EnvError } from './settings/variables.ts';
import type { Settings } from './settings.ts';

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
  readerTokenSecret: z.string().check(z.minLength(32)),
  identityAdminKey: z.string().check(z.minLength(32)),
});

/** Members of the first installations, which are never added to a file. */
const identitySecrets = z.pick(instanceFile, { userPoolId: true, identitySecret: true });

/** The ids, keys and secrets of an installation, created once and stored in the data directory. */
export type Instance = z.infer<typeof instanceFile>;

/** Returns the path of the secrets in a data directory. */
export const getSecretsPath = (dataDir: string): string => join(dataDir, 'secrets.json');

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const createRandomText = (length: number) =>
  Array.from(randomBytes(length), (byte) => letters[byte % letters.length]).join('');

/** Creates the secrets that older installations lack. The others are never replaced: existing accounts depend on them. */
const createAddedSecrets = () => ({
  billing: {
    sandboxKey: `rcb_sb_${createRandomText(28)}`,
    productionKey: `rcb_${createRandomText(28)}`,
    secretKey: `sk_${createRandomText(40)}`,
    webhookSecret: randomBytes(48).toString('base64url'),
  },
  readerTokenSecret: randomBytes(48).toString('base64url'),
  identityAdminKey: randomBytes(48).toString('base64url'),
});

/** Creates the ids, keys and secrets of a new installation. */
export function createInstance(): Instance {
  return {
    userPoolId: `local_${createRandomText(9)}`,
    clientId: createRandomText(26).toLowerCase(),
    identitySecret: randomBytes(48).toString('base64url'),
    mediaSecret: randomBytes(48).toString('base64url'),
    ...createAddedSecrets(),
  };
}

/**
 * Writes the file completely or not at all: a partial one would lock all users out.
 *
 * @param replace - whether to replace an existing file, instead of leaving that of another process
 * @returns whether the file has these secrets
 */
export async function writeInstance(
  path: string,
  instance: Instance,
  { replace }: { replace: boolean },
): Promise<boolean> {
  const temporary = `${path}.${randomBytes(4).toString('hex')}.new`;
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(instance, null, 2)}\n`);
    await file.sync();
    if (!replace) {
      // Some network file systems have no hard links.
      const failure = await link(temporary, path).catch((error: NodeJS.ErrnoException) => error);
      if (!failure) return true;
      if (failure.code === 'EEXIST') return false;
    }
    await rename(temporary, path);
    return true;
  } finally {
    await file.close();
    await rm(temporary, { force: true });
  }
}

/** A damaged file is never replaced by new secrets: a backup may exist. */
const createDamagedFileError = (path: string) =>
  new EnvError([`${path}: is damaged; restore a copy of it, because nobody can sign in without it`]);

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Parses the content of a `secrets.json`. Returns undefined where a member is missing. */
export const parseSecrets = (text: string): Instance | undefined =>
  instanceFile.safeParse(parseObject(text)).data;

/**
 * Returns the secrets of the identity provider, without creating any; undefined where there are none.
 *
 * @throws EnvError when the file is damaged
 */
export async function findIdentitySecrets({ secrets, dataDir }: InstanceSettings) {
  if (secrets) return secrets;
  const path = getSecretsPath(dataDir);
  const text = await readIfExists(path);
  if (text === undefined) return undefined;
  const { data } = identitySecrets.safeParse(parseObject(text));
  if (!data) throw createDamagedFileError(path);
  return data;
}

/** Returns the secrets of the environment or, where it has none, those of the data directory. */
export const openInstance = async ({ secrets, dataDir }: InstanceSettings): Promise<Instance> =>
  secrets ?? (await loadInstance(dataDir));

/**
 * Opens the secrets of the installation. Those that are missing are created once it is certain that the database was not
 * made with others.
 *
 * @param connection - of a migrated database
 * @throws DatabaseError `secrets-differ` for others than those of the database: nobody could sign in
 */
export async function openMatchingInstance(settings: Settings, connection: Connection): Promise<Instance> {
  // An external identity provider leaves nothing in the database to compare with.
  if (!settings.externalIdentity)
    await assertSecretsMatch(connection, async () => {
      const found = await findIdentitySecrets(settings);
      return found && { poolId: found.userPoolId, secret: found.identitySecret };
    });
  return openInstance(settings);
}

const readIfExists = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });

interface InstanceSettings {
  secrets: Instance | undefined;
  dataDir: string;
}

/**
 * Loads the installation's secrets from the data directory, or creates those that are missing. Only the owner may read the
 * file.
 *
 * @throws EnvError when the file is damaged
 */
export async function loadInstance(dataDir: string): Promise<Instance> {
  await mkdir(dataDir, { recursive: true });
  const path = getSecretsPath(dataDir);
  const text = await readIfExists(path);
  if (text === undefined) return createSecrets(path);
  const complete = parseSecrets(text);
  if (complete) return complete;
  const upgraded = instanceFile.safeParse({ ...createAddedSecrets(), ...parseObject(text) }).data;
  if (!upgraded) throw createDamagedFileError(path);
  return addSecrets(path, text, upgraded);
}

async function createSecrets(path: string): Promise<Instance> {
  const instance = createInstance();
  if (await writeInstance(path, instance, { replace: false })) return instance;
  // Another process has created them since.
  const created = parseSecrets(await readFile(path, 'utf8'));
  if (!created) throw createDamagedFileError(path);
  return created;
}

/**
 * Replaces an incomplete file. Processes that do so at the same time agree on the secrets of one: those of the first to
 * create the file that is named by the content to replace, its time and the members to have. What a killed process leaves
 * there is used by the next one, unless the secrets were changed since.
 */
async function addSecrets(path: string, text: string, upgraded: Instance): Promise<Instance> {
  const { mtimeMs } = await stat(path);
  const members = Object.keys(upgraded).sort().join();
  const key = createHash('sha256').update(text).update(`${mtimeMs} ${members}`);
  const proposalPath = `${path}.${key.digest('hex').slice(0, 16)}`;
  await writeInstance(proposalPath, upgraded, { replace: false });
  const proposal = parseSecrets((await readIfExists(proposalPath)) ?? '');
  // Another process may have finished before this one created or read the proposal.
  const finished = parseSecrets(await readFile(path, 'utf8'));
  const instance = finished ?? proposal;
  if (!instance) throw createDamagedFileError(proposalPath);
  if (!finished) await writeInstance(path, instance, { replace: true });
  await rm(proposalPath, { force: true });
  return instance;
}
