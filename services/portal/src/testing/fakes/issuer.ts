import { createLocalJWKSet, exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose';
import type { TokenOptions } from '../../accounts/tokens.ts';
import type { TestClock } from './clock.ts';

const ISSUER = 'https://identity.test/local_Test';
const CLIENT = 'test-client';

interface Changes {
  claims?: Record<string, unknown>;
  /** Seconds from now; an hour by default. */
  lifetime?: number;
  issuer?: string;
}

// Generating a pair takes long, so the issuers of a process share them.
const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
const stranger = await generateKeyPair('RS256');

/** Creates an issuer of tokens like Cognito's, each of which can be made invalid in one way. All have the same key. */
export async function createTestIssuer(clock: TestClock) {
  const jwk = { ...(await exportJWK(publicKey)), kid: 'key-1', alg: 'RS256', use: 'sig' };
  const tokens: TokenOptions = {
    issuer: ISSUER,
    clientId: CLIENT,
    keys: createLocalJWKSet({ keys: [jwk] }),
  };

  const createClaims = (
    subject: string,
    use: 'access' | 'id',
    { claims, lifetime = 3600, issuer = ISSUER }: Changes,
  ) => ({
    sub: subject,
    iss: issuer,
    token_use: use,
    iat: clock.seconds(),
    exp: clock.seconds() + lifetime,
    auth_time: clock.seconds(),
    ...(use === 'access' ? { client_id: CLIENT } : { aud: CLIENT }),
    ...claims,
  });
  const sign = (payload: Record<string, unknown>, key = privateKey, alg = 'RS256') =>
    new SignJWT(payload).setProtectedHeader({ alg, kid: 'key-1' }).sign(key);
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

  return {
    tokens,
    /** Its JSON Web Key Set. */
    published: { keys: [jwk] },
    access: (subject: string, changes: Changes = {}) => sign(createClaims(subject, 'access', changes)),
    id: (subject: string, changes: Changes = {}) => sign(createClaims(subject, 'id', changes)),
    /** Returns invalid access tokens by what is wrong with them. */
    async forgeries(subject: string): Promise<Record<string, { token: string; code: string }>> {
      const good = createClaims(subject, 'access', {});
      const secret = new TextEncoder().encode(await exportSPKI(publicKey));
      const hs256 = new SignJWT(good).setProtectedHeader({ alg: 'HS256', kid: 'key-1' }).sign(secret);
      const signed = await sign(good);
      const [header, , signature] = signed.split('.');
      const refused = (token: string) => ({ token, code: 'unauthorized' });
      return {
        expired: {
          token: await sign(createClaims(subject, 'access', { lifetime: -1 })),
          code: 'token_expired',
        },
        'of another issuer': refused(await sign({ ...good, iss: 'https://other.test/local_Test' })),
        'for another client': refused(await sign({ ...good, client_id: 'other-client' })),
        'for no client': refused(await sign({ ...good, client_id: undefined })),
        'without an end': refused(await sign({ ...good, exp: undefined })),
        'without a subject': refused(await sign({ ...good, sub: '' })),
        'with a subject that is no text': refused(await sign({ ...good, sub: 7 })),
        'with NUL in its subject': refused(await sign({ ...good, sub: 'a\0b' })),
        'an id token': refused(await sign(createClaims(subject, 'id', {}))),
        'an id token that names the client': refused(await sign({ ...good, token_use: 'id' })),
        'signed by a stranger': refused(await sign(good, stranger.privateKey)),
        'unsigned (alg none)': refused(`${encode({ alg: 'none' })}.${encode(good)}.`),
        'unsigned, with a signature': refused(`${encode({ alg: 'none' })}.${encode(good)}.${signature}`),
        'signed with the public key (HS256)': refused(await hs256),
        'with changed claims': refused(`${header}.${encode({ ...good, sub: 'someone-else' })}.${signature}`),
        'with a shorter signature': refused(signed.slice(0, -8)),
        'without a signature': refused(`${signed.slice(0, signed.lastIndexOf('.'))}.`),
        'not a token': refused('not.a.token'),
        empty: refused(''),
        'too long': refused(`${signed}${'a'.repeat(8000)}`),
      };
    },
  };
}
