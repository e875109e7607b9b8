import { randomBytes } from 'node:crypto';
import type { AccountStatus, ProviderName } from '../database.ts';
import type { Secrets } from '../secrets.ts';
import { N, pad, toNumber } from '../srp/group.ts';
import { type Credential, verifierOf } from '../srp/srp.ts';
import { isUuid, uuidFrom } from '../uuid.ts';

const saltLength = 16;

/** Somebody who has an account. The id is their `sub`. */
export interface Person {
  id: string;
  /** What tokens call them: the id, or who they are at their provider (`google_1234`). */
  username: string;
  email: string | null;
  emailVerified: boolean;
  givenName: string | null;
  familyName: string | null;
  phoneNumber: string | null;
  status: AccountStatus;
  enabled: boolean;
  /** The provider they come by, who they are there, and since when; nothing where they have a password here. */
  door: { provider: ProviderName; subject: string; since: Date } | undefined;
}

/** Somebody who signed up here, with an address and a password. */
export interface Account extends Person {
  real: true;
  email: string;
  credential: Credential;
}

/**
 * What stands in for an account that is not there: the same for the same name, so that asking twice tells nothing, and
 * no password fits it.
 */
export interface Shadow {
  real: false;
  id: string;
  email: string;
  credential: Credential;
}

/** Whom a name means. */
export type Subject = Account | Shadow;

/** In: a name in lower case, an e-mail address or an id. */
export function shadowOf(secrets: Secrets, name: string): Shadow {
  const id = isUuid(name) ? name : uuidFrom(secrets.mac('shadow', 'id', name));
  const letters = secrets.mac('shadow', 'email', name).toString('hex').replace(/\d/g, '');
  const bytes = secrets.stretch('shadow', saltLength + 384, id);
  return {
    real: false,
    id,
    email: name.includes('@') ? name : `${letters[0] ?? 'a'}@${letters[1] ?? 'a'}`,
    credential: {
      salt: toNumber(bytes.subarray(0, saltLength)),
      verifier: toNumber(bytes.subarray(saltLength)) % N,
    },
  };
}

/** A fresh credential for a password, for the pool of this name (the pool's id after the underscore). */
export function newCredential(poolName: string, userId: string, password: string): Credential {
  const salt = toNumber(randomBytes(saltLength));
  return { salt, verifier: verifierOf(poolName, userId, password, salt) };
}

/** The credential as the table holds it, readable for this account alone. */
export function sealCredential(secrets: Secrets, userId: string, { salt, verifier }: Credential): Buffer {
  const saltBytes = Buffer.from(salt.toString(16).padStart(saltLength * 2, '0'), 'hex');
  return secrets.seal('credential', userId, Buffer.concat([saltBytes, pad(verifier)]));
}

/** The credential of a row. Throws where the row is not one of this account and this secret. */
export function openCredential(secrets: Secrets, userId: string, sealed: Buffer): Credential {
  const bytes = secrets.open('credential', userId, sealed);
  if (!bytes) throw new Error('A credential does not open with the identity secret.');
  return {
    salt: toNumber(bytes.subarray(0, saltLength)),
    verifier: toNumber(bytes.subarray(saltLength)),
  };
}
