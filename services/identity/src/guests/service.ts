import { randomBytes } from 'node:crypto';
import { faults } from '../faults.ts';
import type { Secrets } from '../secrets.ts';
import { equalBytes } from '../srp/srp.ts';
import type { Tokens } from '../tokens/tokens.ts';
import { uuidFrom } from '../uuid.ts';

interface Ports {
  secrets: Secrets;
  issuer: string;
  identityPoolId: string;
  tokens: Tokens;
  clock: () => Date;
}

/** How long credentials are good for, in seconds. */
const lifetime = 3600;

/** Who calls at the identity pool: id tokens by their issuer, without its scheme; none for a guest. */
export type Logins = Record<string, string | null | undefined>;

/**
 * The identity pool: names for guests and for people who are signed in, and credentials that open nothing, which look
 * it. Nothing is kept: a guest's name proves itself by its second half.
 */
export function createGuests({ secrets, issuer, identityPoolId, tokens, clock }: Ports) {
  const region = identityPoolId.split(':')[0];
  const provider = issuer.replace(/^https?:\/\//, '');
  const proofOf = (first: Buffer) => secrets.mac('shadow', 'guest', first.toString('hex')).subarray(0, 8);

  /** The name of somebody signed in: the same each time. */
  const nameOf = (subject: string) => `${region}:${uuidFrom(secrets.mac('shadow', 'identity', subject))}`;

  /** A guest's new name. */
  function newName(): string {
    const first = randomBytes(6);
    const hex = Buffer.concat([first, proofOf(first), Buffer.alloc(2)]).toString('hex');
    return `${region}:${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }

  function isGuest(identityId: string): boolean {
    const bytes = Buffer.from(identityId.slice(identityId.indexOf(':') + 1).replaceAll('-', ''), 'hex');
    if (bytes.length !== 16 || !identityId.startsWith(`${region}:`)) return false;
    return equalBytes(bytes.subarray(6, 14), proofOf(bytes.subarray(0, 6)));
  }

  /** The name of whom the logins are of, or nothing where there are none. Throws where they prove nobody. */
  async function signedIn(logins: Logins | null | undefined): Promise<string | undefined> {
    const given = Object.entries(logins ?? {}).filter(([, token]) => token != null);
    if (given.length === 0) return undefined;
    const token = given.length === 1 && given[0]?.[0] === provider ? given[0][1] : undefined;
    const subject = token == null ? undefined : await tokens.readIdToken(token);
    if (subject === undefined) throw faults.loginInvalid();
    return nameOf(subject);
  }

  /** In: the pool asked for, and logins. Out: the caller's name. */
  async function identityOf(poolId: string, logins: Logins | null | undefined): Promise<string> {
    if (poolId !== identityPoolId) throw faults.identityPoolUnknown(poolId);
    return (await signedIn(logins)) ?? newName();
  }

  /** Credentials for a name that is the caller's own. */
  async function credentialsFor(identityId: string, logins: Logins | null | undefined) {
    const own = await signedIn(logins);
    const theirs = own === undefined ? isGuest(identityId) : own === identityId;
    if (!theirs) throw faults.identityForbidden();
    return {
      AccessKeyId: 'ASIAESCUCHOOPENSNOTHING',
      SecretKey: 'these-credentials-open-nothing',
      SessionToken: 'these-credentials-open-nothing',
      Expiration: Math.floor(clock().getTime() / 1000) + lifetime,
    };
  }

  return { identityOf, credentialsFor };
}

export type Guests = ReturnType<typeof createGuests>;
