import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '../database.ts';
import type { SessionRepository } from '../sessions/repository.ts';
import type { Entry, Sessions } from '../sessions/service.ts';
import type { Tokens } from '../tokens/tokens.ts';
import { entryFault } from '../users/policy.ts';
import type { UserRepository } from '../users/repository.ts';
import type { Person } from '../users/subject.ts';
import { answerAddress, OAuthFault } from './faults.ts';
import {
  type AuthorizationRequest,
  answering,
  authorizationCodeLifetime,
  fitsChallenge,
  type OAuthClient,
} from './policy.ts';
import type { AuthorizationRepository } from './repository.ts';

interface Ports {
  db: Database;
  client: OAuthClient;
  users: UserRepository;
  sessions: Sessions;
  sessionRows: SessionRepository;
  authorizations: AuthorizationRepository;
  tokens: Tokens;
  clock: () => Date;
}

/** What an app sends to redeem a code. */
export interface Redemption {
  code: string;
  redirectUri: string;
  verifier: string;
}

const hashOf = (code: string) => createHash('sha256').update(code).digest();
const refusal = () => new OAuthFault('invalid_grant', 'The code is not, or no longer, good for this.');

/** Authorizations: what a signed-in person's app is given, as a code to redeem or as tokens at once. */
export function createAuthorizations(ports: Ports) {
  const { db, client, users, sessions, sessionRows, authorizations, tokens, clock } = ports;

  async function newCode(tx: Database, request: AuthorizationRequest, person: Person, signedInAt: Date) {
    const code = randomBytes(32).toString('base64url');
    await authorizations.insert(tx, {
      hash: hashOf(code),
      accountId: person.id,
      clientId: client.clientId,
      redirectUri: request.redirectUri,
      challenge: request.challenge ?? '',
      scope: request.scope,
      nonce: request.nonce ?? null,
      signedInAt,
      expiresAt: new Date(clock().getTime() + authorizationCodeLifetime),
    });
    return { code };
  }

  /** The implicit grant: access and id tokens, no refresh token. */
  async function newTokens(
    tx: Database,
    { scope, nonce }: AuthorizationRequest,
    person: Person,
    signedInAt: Date,
    agent: string | undefined,
  ) {
    const beginning = { now: clock(), agent, scope, signedInAt, refreshable: false };
    const { session } = await sessions.start(tx, person, beginning);
    const { accessToken, idToken, expiresIn } = await tokens.mint(person, session, { nonce });
    return {
      access_token: accessToken,
      id_token: scope.split(' ').includes('openid') ? idToken : undefined,
      token_type: 'Bearer',
      expires_in: String(expiresIn),
    };
  }

  /** Grants a request to somebody who is signed in. Out: where the browser goes with it. */
  async function grant(
    tx: Database,
    request: AuthorizationRequest,
    { person, signedInAt, agent }: { person: Person; signedInAt: Date; agent: string | undefined },
  ): Promise<string> {
    const answer =
      request.responseType === 'code'
        ? await newCode(tx, request, person, signedInAt)
        : await newTokens(tx, request, person, signedInAt, agent);
    return answerAddress(answering(request), answer);
  }

  /**
   * Redeems a code: once, within its five minutes, by the app, for the target and with the verifier it was made for. A
   * code that comes again is in two hands: what it gave ends. A try that does not fit changes nothing.
   */
  async function redeem(given: Redemption, agent: string | undefined) {
    const outcome = await db.transaction().execute(async (tx) => {
      const now = clock();
      const found = await authorizations.lock(tx, hashOf(given.code));
      if (!found || found.clientId !== client.clientId) return refusal();
      if (found.redirectUri !== given.redirectUri) return refusal();
      if (!fitsChallenge(given.verifier, found.challenge)) return refusal();
      if (found.sessionId !== null) {
        await sessionRows.revoke(tx, found.sessionId, now);
        return refusal();
      }
      const person = found.expiresAt > now ? await users.person(tx, found.accountId) : undefined;
      if (!person || entryFault(person)) return refusal();
      const { scope, signedInAt } = found;
      const entry = await sessions.start(tx, person, { now, agent, scope, signedInAt });
      await authorizations.markRedeemed(tx, found.hash, entry.session.id);
      return { ...entry, nonce: found.nonce ?? undefined };
    });
    if (outcome instanceof OAuthFault) throw outcome;
    return tokensOf(outcome, outcome.nonce);
  }

  /** The token endpoint's answer; an id token only for who asked for `openid`. */
  async function tokensOf({ person, session, refreshToken }: Entry, nonce?: string) {
    const { accessToken, idToken, expiresIn } = await tokens.mint(person, session, { nonce });
    return {
      access_token: accessToken,
      ...(session.scope.split(' ').includes('openid') && { id_token: idToken }),
      ...(refreshToken !== undefined && { refresh_token: refreshToken }),
      token_type: 'Bearer',
      expires_in: expiresIn,
    };
  }

  return { grant, redeem, tokensOf };
}

export type Authorizations = ReturnType<typeof createAuthorizations>;
