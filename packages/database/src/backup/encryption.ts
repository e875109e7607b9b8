import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { DatabaseError, getErrorMessage } from '../database-error.ts';
import { createDamagedError } from './format.ts';

/** The first bytes of every file that age encrypted. */
const AGE_MARK = 'age-encryption.org/v1';

/**
 * Creates a pair of keys of age: backups are encrypted for the recipient, `age1…`, which is public, and decrypted with the
 * identity, `AGE-SECRET-KEY-1…`, which is secret.
 */
export async function createBackupKey(): Promise<{ identity: string; recipient: string }> {
  const { generateX25519Identity, identityToRecipient } = await loadAge();
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

/** Converts to a web stream, as age takes it. `ReadableStream.from` and `Readable.fromWeb` have other types in browsers. */
function toWebStream(source: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = source[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

/** Loads age with its tables of curves, which a process needs for encrypted backups only. */
const loadAge = () => import('age-encryption');

const createKeyError = (problem: string, cause?: unknown) =>
  new DatabaseError('backup-key', `The backup: ${problem}.`, { cause });

/**
 * Returns the transform of a pipeline that encrypts to recipients, each of whom can decrypt alone.
 *
 * @throws DatabaseError `backup-key` for a text that is not a recipient
 */
export async function encryptTo(recipients: readonly string[]) {
  const { Encrypter } = await loadAge();
  const encrypter = new Encrypter();
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient);
    } catch (cause) {
      throw createKeyError(`${recipient} is not a recipient of age, such as age1…`, cause);
    }
  }
  return async function* (plain: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    yield* await encrypter.encrypt(toWebStream(plain));
  };
}

async function isEncrypted(file: string): Promise<boolean> {
  await using handle = await open(file);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(AGE_MARK.length));
  return buffer.toString('latin1', 0, bytesRead) === AGE_MARK;
}

/** @throws DatabaseError `backup-key` where no identity fits, `backup-damaged` */
async function* decrypt(file: string, identities: readonly string[]): AsyncGenerator<Uint8Array> {
  const { Decrypter } = await loadAge();
  const decrypter = new Decrypter();
  const source = createReadStream(file);
  let plain: AsyncIterable<Uint8Array>;
  try {
    for (const identity of identities) decrypter.addIdentity(identity);
    plain = await decrypter.decrypt(toWebStream(source));
  } catch (cause) {
    source.destroy();
    throw createKeyError(`it is encrypted for another key (${getErrorMessage(cause)})`, cause);
  }
  try {
    yield* plain;
  } catch (cause) {
    throw createDamagedError(getErrorMessage(cause), cause);
  }
}

/**
 * Reads a backup, decrypting it where it is encrypted.
 *
 * @param identities - the keys that may decrypt it
 * @throws DatabaseError `backup-key` where it is encrypted and no identity fits
 */
export async function openBackup(file: string, identities: readonly string[]): Promise<Readable> {
  if (!(await isEncrypted(file))) return createReadStream(file);
  if (identities.length === 0)
    throw createKeyError('it is encrypted; name the file of the key by --identity');
  return Readable.from(decrypt(file, identities));
}
