import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
const hash = (data: string | Uint8Array) => createHash('sha256').update(data).digest();

/** How a response deviates from a correct one. */
export interface Deviation {
  origin?: string;
  rpId?: string;
  userVerified?: boolean;
  counter?: number;
  challenge?: string;
  userHandle?: string;
}

interface Options {
  challenge: string;
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

interface AuthenticatorOptions {
  origin: string;
  rpId: string;
  /** The number of bytes of the credential id. */
  idLength?: number;
}

/** Creates an authenticator in software that holds one passkey (WebAuthn level 3, section 6; key ES256, no attestation). */
export function createAuthenticator({ origin, rpId, idLength = 16 }: AuthenticatorOptions) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = publicKey.export({ format: 'jwk' });
  const credentialId = randomBytes(idLength);
  let counter = 0;
  let userHandle = '';

  const createClientData = (type: string, challenge: string, deviation: Deviation) =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge: deviation.challenge ?? challenge,
        origin: deviation.origin ?? origin,
        crossOrigin: false,
      }),
    );

  function createAuthenticatorData(flags: number, deviation: Deviation, credential = Buffer.alloc(0)) {
    const verified = deviation.userVerified === false ? 0 : USER_VERIFIED;
    const counterBytes = Buffer.alloc(4);
    counterBytes.writeUInt32BE(deviation.counter ?? counter);
    return Buffer.concat([
      hash(deviation.rpId ?? rpId),
      Buffer.from([flags | USER_PRESENT | verified]),
      counterBytes,
      credential,
    ]);
  }

  function createCredentialData() {
    const x = Buffer.from(jwk.x ?? '', 'base64url');
    const y = Buffer.from(jwk.y ?? '', 'base64url');
    const key = isoCBOR.encode(
      new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(x)],
        [-3, new Uint8Array(y)],
      ]),
    );
    const lengthBytes = Buffer.alloc(2);
    lengthBytes.writeUInt16BE(idLength);
    return Buffer.concat([Buffer.alloc(16), lengthBytes, credentialId, key]);
  }

  const common = {
    id: base64url(credentialId),
    rawId: base64url(credentialId),
    type: 'public-key',
    clientExtensionResults: {},
    authenticatorAttachment: 'platform',
  };

  return {
    credentialId: base64url(credentialId),

    /** Answers `navigator.credentials.create`. */
    create(options: Options & { user: { id: string } }, deviation: Deviation = {}) {
      userHandle = options.user.id;
      const authData = createAuthenticatorData(HAS_CREDENTIAL, deviation, createCredentialData());
      const attestation = new Map<string, string | Map<string, never> | Uint8Array>([
        ['fmt', 'none'],
        ['attStmt', new Map<string, never>()],
        ['authData', new Uint8Array(authData)],
      ]);
      const clientData = createClientData('webauthn.create', options.challenge, deviation);
      const response = {
        clientDataJSON: base64url(clientData),
        attestationObject: base64url(isoCBOR.encode(attestation)),
        transports: ['internal', 'hybrid'],
      };
      return { ...common, response };
    },

    /** Answers `navigator.credentials.get`. */
    get({ challenge }: Options, deviation: Deviation = {}) {
      counter += 1;
      const clientData = createClientData('webauthn.get', challenge, deviation);
      const authData = createAuthenticatorData(0, deviation);
      const signature = sign('sha256', Buffer.concat([authData, hash(clientData)]), privateKey);
      const response = {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(authData),
        signature: base64url(signature),
        userHandle: deviation.userHandle ?? userHandle,
      };
      return { ...common, response };
    },
  };
}
