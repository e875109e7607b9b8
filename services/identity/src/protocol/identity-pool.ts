import { randomBytes } from 'node:crypto';
import { isEqualInConstantTime } from '@escucho/service-kit';
import { type Secrets, toUuid } from '../crypto.ts';
import { cognitoErrors } from '../errors.ts';
import type { TokenService } from '../tokens/service.ts';
import { createOperation, type Operation } from './operation.ts';
import * as schemas from './schemas.ts';

interface IdentityPoolDeps {
  secrets: Secrets;
  issuer: string;
  identityPoolId: string;
  tokens: TokenService;
  clock: () => Date;
}

const CREDENTIALS_LIFETIME_SECONDS = 3600;
const GUEST_ID_BYTES = 6;
const GUEST_MAC_BYTES = 8;
const UUID_BYTES = 16;

/** Id tokens by their issuer without its scheme; empty for guests. */
type Logins = Record<string, string | null | undefined>;

/**
 * Creates the operations of an identity pool: ids for guests and users, and credentials that grant nothing. Nothing is
 * stored: a guest's id contains its own message authentication code.
 */
export function createIdentityPoolOperations(deps: IdentityPoolDeps): Record<string, Operation> {
  const { secrets, issuer, identityPoolId, tokens, clock } = deps;
  const region = identityPoolId.split(':')[0];
  const providerName = issuer.replace(/^https?:\/\//, '');
  const computeGuestMac = (guest: Buffer) =>
    secrets.hmac('decoy', 'guest', guest.toString('hex')).subarray(0, GUEST_MAC_BYTES);

  /** Returns the id of a user, which is always the same. */
  const toUserIdentityId = (subject: string) =>
    `${region}:${toUuid(secrets.hmac('decoy', 'identity', subject))}`;

  function createGuestIdentityId(): string {
    const guest = randomBytes(GUEST_ID_BYTES);
    const padding = Buffer.alloc(UUID_BYTES - GUEST_ID_BYTES - GUEST_MAC_BYTES);
    const hex = Buffer.concat([guest, computeGuestMac(guest), padding]).toString('hex');
    return `${region}:${hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}`;
  }

  function isGuestIdentityId(identityId: string): boolean {
    const bytes = Buffer.from(identityId.slice(identityId.indexOf(':') + 1).replaceAll('-', ''), 'hex');
    if (bytes.length !== UUID_BYTES || !identityId.startsWith(`${region}:`)) return false;
    const mac = bytes.subarray(GUEST_ID_BYTES, GUEST_ID_BYTES + GUEST_MAC_BYTES);
    return isEqualInConstantTime(mac, computeGuestMac(bytes.subarray(0, GUEST_ID_BYTES)));
  }

  /** Returns the identity id of the logins' user; undefined without logins. Throws where a login is invalid. */
  async function findUserIdentityId(logins: Logins | null | undefined): Promise<string | undefined> {
    const entries = Object.entries(logins ?? {}).filter(([, token]) => token != null);
    if (entries.length === 0) return undefined;
    const token = entries.length === 1 && entries[0]?.[0] === providerName ? entries[0][1] : undefined;
    const subject = token == null ? undefined : await tokens.verifyIdToken(token);
    if (subject === undefined) throw cognitoErrors.loginInvalid();
    return toUserIdentityId(subject);
  }

  return {
    GetId: createOperation(schemas.getId, async ({ IdentityPoolId, Logins }) => {
      if (IdentityPoolId !== identityPoolId) throw cognitoErrors.identityPoolNotFound(IdentityPoolId);
      return { IdentityId: (await findUserIdentityId(Logins)) ?? createGuestIdentityId() };
    }),

    GetCredentialsForIdentity: createOperation(
      schemas.getCredentialsForIdentity,
      async ({ IdentityId, Logins }) => {
        const ownId = await findUserIdentityId(Logins);
        const isOwner = ownId === undefined ? isGuestIdentityId(IdentityId) : ownId === IdentityId;
        if (!isOwner) throw cognitoErrors.identityForbidden();
        return {
          IdentityId,
          Credentials: {
            AccessKeyId: 'ASIAESCUCHOOPENSNOTHING',
            SecretKey: 'these-credentials-open-nothing',
            SessionToken: 'these-credentials-open-nothing',
            Expiration: Math.floor(clock().getTime() / 1000) + CREDENTIALS_LIFETIME_SECONDS,
          },
        };
      },
    ),
  };
}
