import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';

type EncryptionPurpose =
  | 'credential'
  | 'handshake'
  | 'signing-key'
  | 'federation'
  | 'mail'
  | 'software-token';
type HmacPurpose = 'code' | 'decoy' | 'form';

const IV_LENGTH = 12;
const TAG_LENGTH = 16;
const MIN_SECRET_LENGTH = 32;

/**
 * Derives the keys of one user pool, one for each purpose, from the secret that is stored outside the database.
 * @param secret key material of at least 32 bytes
 * @throws where the material is shorter
 */
export function createSecrets(secret: string, poolId: string) {
  if (Buffer.byteLength(secret) < MIN_SECRET_LENGTH) {
    throw new Error(`The identity secret must have at least ${MIN_SECRET_LENGTH} bytes.`);
  }
  const derive = (ikm: Buffer, info: string, length: number) =>
    Buffer.from(hkdfSync('sha256', ikm, poolId, info, length));
  const material = Buffer.from(secret);
  const keys = new Map<EncryptionPurpose | HmacPurpose, Buffer>();
  function getKey(purpose: EncryptionPurpose | HmacPurpose): Buffer {
    const cached = keys.get(purpose);
    if (cached) return cached;
    const key = derive(material, `escucho identity ${purpose}`, 32);
    keys.set(purpose, key);
    return key;
  }
  return {
    /** Encrypts with AES-256-GCM. `context` is authenticated: the ciphertext decrypts in that context only. */
    encrypt(purpose: EncryptionPurpose, context: string, plaintext: Buffer): Buffer {
      const iv = randomBytes(IV_LENGTH);
      const cipher = createCipheriv('aes-256-gcm', getKey(purpose), iv).setAAD(Buffer.from(context));
      const encrypted = Buffer.concat([cipher.update(plaintext), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), encrypted]);
    },

    /** Decrypts; returns undefined where key, context or ciphertext do not match. */
    decrypt(purpose: EncryptionPurpose, context: string, ciphertext: Buffer): Buffer | undefined {
      if (ciphertext.length < IV_LENGTH + TAG_LENGTH) return undefined;
      const iv = ciphertext.subarray(0, IV_LENGTH);
      const encrypted = ciphertext.subarray(IV_LENGTH + TAG_LENGTH);
      const decipher = createDecipheriv('aes-256-gcm', getKey(purpose), iv, { authTagLength: TAG_LENGTH })
        .setAAD(Buffer.from(context))
        .setAuthTag(ciphertext.subarray(IV_LENGTH, IV_LENGTH + TAG_LENGTH));
      try {
        return Buffer.concat([decipher.update(encrypted), decipher.final()]);
      } catch {
        return undefined;
      }
    },

    /** Returns the HMAC-SHA256 of the parts (32 bytes). */
    hmac: (purpose: HmacPurpose, ...parts: readonly string[]): Buffer =>
      createHmac('sha256', getKey(purpose)).update(JSON.stringify(parts)).digest(),

    /** Returns `length` pseudorandom bytes derived from the parts by HKDF. */
    deriveBytes: (purpose: HmacPurpose, length: number, ...parts: readonly string[]): Buffer =>
      derive(getKey(purpose), JSON.stringify(parts), length),
  };
}

export type Secrets = ReturnType<typeof createSecrets>;

/** Returns the SHA-256 digest of the concatenated chunks. */
export function sha256(...chunks: readonly (Buffer | string)[]): Buffer {
  const digest = createHash('sha256');
  for (const chunk of chunks) digest.update(chunk);
  return digest.digest();
}

/** Returns `length` random bytes in base64url. */
export function createRandomToken(length = 32): string {
  return randomBytes(length).toString('base64url');
}

/** Returns whether a text is a UUID in lower case. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}

/** Formats 16 or more bytes as a version 4 UUID. */
export function toUuid(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  const variant = '89ab'[(bytes[8] ?? 0) & 3];
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
