import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

type SealPurpose = 'credential' | 'handshake' | 'signing-key' | 'federation' | 'mail';
type MacPurpose = 'code' | 'shadow' | 'address' | 'form';

const ivLength = 12;
const tagLength = 16;

/** The keys of one pool, one for each purpose, all drawn from the one secret outside the database. */
export interface Secrets {
  /** Hides `plain` (AES-256-GCM). What is sealed for one context does not open in another. */
  seal(purpose: SealPurpose, context: string, plain: Buffer): Buffer;
  /** The plain bytes again, or nothing where key, context or bytes are not those of the sealing. */
  open(purpose: SealPurpose, context: string, sealed: Buffer): Buffer | undefined;
  /** 32 bytes (HMAC-SHA256) that nobody without the secret can find, the same for the same parts. */
  mac(purpose: MacPurpose, ...parts: readonly string[]): Buffer;
  /** As many such bytes as asked for. */
  stretch(purpose: MacPurpose, length: number, ...parts: readonly string[]): Buffer;
}

/** In: key material of at least 32 bytes and the pool it serves. Throws where the material is shorter. */
export function createSecrets(secret: string, poolId: string): Secrets {
  if (Buffer.byteLength(secret) < 32) throw new Error('The identity secret must have at least 32 bytes.');
  const derive = (ikm: Buffer, info: string, length: number) =>
    Buffer.from(hkdfSync('sha256', ikm, poolId, info, length));
  const material = Buffer.from(secret);
  const keyFor = (purpose: SealPurpose | MacPurpose) => derive(material, `escucho identity ${purpose}`, 32);
  const keys: Record<SealPurpose | MacPurpose, Buffer> = {
    credential: keyFor('credential'),
    handshake: keyFor('handshake'),
    'signing-key': keyFor('signing-key'),
    federation: keyFor('federation'),
    mail: keyFor('mail'),
    code: keyFor('code'),
    shadow: keyFor('shadow'),
    address: keyFor('address'),
    form: keyFor('form'),
  };
  return {
    seal(purpose, context, plain) {
      const iv = randomBytes(ivLength);
      const cipher = createCipheriv('aes-256-gcm', keys[purpose], iv).setAAD(Buffer.from(context));
      const hidden = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), hidden]);
    },
    open(purpose, context, sealed) {
      if (sealed.length < ivLength + tagLength) return undefined;
      const decipher = createDecipheriv('aes-256-gcm', keys[purpose], sealed.subarray(0, ivLength), {
        authTagLength: tagLength,
      })
        .setAAD(Buffer.from(context))
        .setAuthTag(sealed.subarray(ivLength, ivLength + tagLength));
      try {
        return Buffer.concat([decipher.update(sealed.subarray(ivLength + tagLength)), decipher.final()]);
      } catch {
        return undefined;
      }
    },
    mac: (purpose, ...parts) => createHmac('sha256', keys[purpose]).update(JSON.stringify(parts)).digest(),
    stretch: (purpose, length, ...parts) => derive(keys[purpose], JSON.stringify(parts), length),
  };
}
