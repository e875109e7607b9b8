import { recordAuditEvent } from '@escucho/audit';
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { decodeClientDataJSON } from '@simplewebauthn/server/helpers';
import * as z from 'zod/mini';
import type { Caller } from '../caller.ts';
import { commitAttempt, type Database } from '../database.ts';
import type { PoolDeps } from '../deps.ts';
import { CognitoError, cognitoErrors } from '../errors.ts';
import { sessionRepository } from '../sessions/repository.ts';
import { type ChallengeResponse, noState } from '../sign-in/challenge-session.ts';
import type { AccountOwner } from '../users/account-service.ts';
import { getSignInError } from '../users/policy.ts';
import { lockAccount } from '../users/repository.ts';
import type { LocalUser, User } from '../users/user.ts';
import {
  type AssertionResponse,
  type AttestationResponse,
  MAX_CREDENTIAL_ID_LENGTH,
  MAX_PASSKEYS,
  type RelyingParty,
  toPasskeyName,
} from './policy.ts';
import { type Passkey, passkeyRepository } from './repository.ts';

interface PasskeyServiceDeps extends PoolDeps {
  relyingParty: RelyingParty;
}

const CHALLENGE_LIFETIME_MS = 5 * 60_000;
/** The browser's autofill offers passkeys for as long as the page is open, whatever the timeout. */
const AUTOFILL_LIFETIME_MS = 12 * 3_600_000;
const REGISTRATION = 'WEB_AUTHN_REGISTRATION';
const SIGN_IN = 'WEB_AUTHN';

const signInState = z.object({ challenge: z.string() });

/**
 * Returns the passkeys of a user who registers another one.
 *
 * @throws CognitoError if the user has as many as allowed
 */
async function listForRegistration(db: Database, userId: string): Promise<Passkey[]> {
  const passkeys = await passkeyRepository.list(db, userId);
  if (passkeys.length >= MAX_PASSKEYS) throw cognitoErrors.tooManyPasskeys();
  return passkeys;
}

/**
 * Creates the service for passkeys. They are discoverable and always verify the user, by a PIN or a fingerprint, so that
 * one counts as two factors.
 */
export function createPasskeyService(deps: PasskeyServiceDeps) {
  const { db, users, challengeSessions, relyingParty, notifyOwner, clock } = deps;
  const expected = {
    expectedOrigin: [...relyingParty.origins],
    expectedRPID: relyingParty.id,
    requireUserVerification: true,
  };

  /** Returns whether passkeys can be used on a page of a host. */
  const isAvailableAt = (hostname: string) => hostname === relyingParty.id;

  /** Returns the options for `navigator.credentials.create`. The challenge is an encrypted session of the user. */
  async function startRegistration(user: User) {
    if (user.federated) throw cognitoErrors.federatedUser();
    const passkeys = await listForRegistration(db, user.id);
    const session = challengeSessions.seal({
      name: REGISTRATION,
      userId: user.id,
      username: user.id,
      state: {},
      lifetimeMs: CHALLENGE_LIFETIME_MS,
    });
    return generateRegistrationOptions({
      rpName: relyingParty.name,
      rpID: relyingParty.id,
      userID: new TextEncoder().encode(user.id),
      userName: user.email ?? user.username,
      userDisplayName: [user.givenName, user.familyName].filter(Boolean).join(' '),
      challenge: new Uint8Array(Buffer.from(session, 'base64url')),
      timeout: CHALLENGE_LIFETIME_MS,
      attestationType: 'none',
      excludeCredentials: passkeys.map(({ id, transports }) => ({ id, transports })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
  }

  function openRegistration(user: User, { response }: AttestationResponse) {
    try {
      const { challenge, origin } = decodeClientDataJSON(response.clientDataJSON);
      const pending = challengeSessions.open([REGISTRATION], noState, challenge, user.id);
      return { pending, challenge, origin };
    } catch (error) {
      throw error instanceof CognitoError
        ? cognitoErrors.passkeyChallengeNotFound()
        : cognitoErrors.passkeyNotSupported();
    }
  }

  /**
   * Registers the passkey that a client created.
   * @throws CognitoError for a foreign origin or relying party, a challenge that is unknown, expired or used, a long id,
   *   one passkey too many, or a session that has been revoked
   */
  async function completeRegistration(
    { user, sessionId }: AccountOwner,
    attestation: AttestationResponse,
    { requestedName, caller }: { requestedName: string | undefined; caller: Caller },
  ): Promise<void> {
    const { pending, challenge, origin } = openRegistration(user, attestation);
    if (!relyingParty.origins.includes(origin)) throw cognitoErrors.passkeyOriginNotAllowed();
    const { registrationInfo } = await verifyRegistrationResponse({
      ...expected,
      response: attestation,
      expectedChallenge: challenge,
    }).catch((error: unknown) => {
      const isForeign = error instanceof Error && error.name === 'UnexpectedRPIDHash';
      throw isForeign ? cognitoErrors.passkeyRelyingPartyMismatch() : cognitoErrors.passkeyNotSupported();
    });
    if (!registrationInfo) throw cognitoErrors.passkeyNotSupported();
    const { credential, aaguid } = registrationInfo;
    if (credential.id.length > MAX_CREDENTIAL_ID_LENGTH) throw cognitoErrors.passkeyNotSupported();
    await db.transaction().execute(async (tx) => {
      const now = clock();
      await lockAccount(tx, user.id);
      // What revokes sessions may have removed all passkeys too, or deleted the account.
      if (!(await sessionRepository.isActive(tx, sessionId, user.id, now)))
        throw cognitoErrors.accessTokenRevoked();
      if (!(await sessionRepository.useHandshake(tx, pending.id, pending.expiresAt))) {
        throw cognitoErrors.passkeyChallengeNotFound();
      }
      // Any number of registrations may have started.
      await listForRegistration(tx, user.id);
      const isNew = await passkeyRepository.insert(tx, {
        id: credential.id,
        accountId: user.id,
        publicKey: Buffer.from(credential.publicKey),
        counter: credential.counter,
        transports: attestation.response.transports ?? [],
        attachment: attestation.authenticatorAttachment ?? null,
        name: toPasskeyName(requestedName, { aaguid, userAgent: caller.userAgent }),
        createdAt: now,
        lastUsedAt: null,
      });
      if (!isNew) throw cognitoErrors.passkeyNotSupported();
      await recordAuditEvent(tx, { type: 'passkey_added', userId: user.id });
      await notifyOwner(tx, user, 'passkey-added', caller);
    });
  }

  const listPasskeys = (userId: string) => passkeyRepository.list(db, userId);

  async function deletePasskey(user: User, id: string, caller: Caller): Promise<void> {
    await db.transaction().execute(async (tx) => {
      if (!(await passkeyRepository.delete(tx, user.id, id))) throw cognitoErrors.passkeyNotFound();
      await recordAuditEvent(tx, { type: 'passkey_removed', userId: user.id });
      await notifyOwner(tx, user, 'passkey-removed', caller);
    });
  }

  /**
   * Creates the challenge of a sign-in by passkey. It lists no credentials, so that it is the same for users without
   * passkeys and for unknown users; without a user, any user of this site may answer.
   */
  async function createChallenge(user?: { id: string; username: string }): Promise<ChallengeResponse> {
    const options = await generateAuthenticationOptions({
      rpID: relyingParty.id,
      userVerification: 'required',
      timeout: CHALLENGE_LIFETIME_MS,
    });
    const session = challengeSessions.seal({
      name: SIGN_IN,
      ...(user && { userId: user.id }),
      username: user?.username ?? '',
      state: { challenge: options.challenge },
      lifetimeMs: user ? CHALLENGE_LIFETIME_MS : AUTOFILL_LIFETIME_MS,
    });
    return {
      ChallengeName: SIGN_IN,
      ChallengeParameters: {
        CREDENTIAL_REQUEST_OPTIONS: JSON.stringify(options),
        ...(user && { USERNAME: user.id }),
      },
      Session: session,
    };
  }

  /** Returns the new counter of a valid assertion. A counter that does not rise is refused: the passkey was copied. */
  async function verifyAssertion(passkey: Passkey, assertion: AssertionResponse, challenge: string) {
    const { id, publicKey, counter, transports } = passkey;
    const { userHandle } = assertion.response;
    const isForeign =
      userHandle !== undefined && Buffer.from(userHandle, 'base64url').toString() !== passkey.accountId;
    if (isForeign) return undefined;
    const credential = { id, publicKey: new Uint8Array(publicKey), counter, transports };
    const verification = await verifyAuthenticationResponse({
      ...expected,
      response: assertion,
      expectedChallenge: challenge,
      credential,
    }).catch(() => undefined);
    return verification?.verified ? verification.authenticationInfo.newCounter : undefined;
  }

  /**
   * Signs a user in by a passkey. A challenge can be answered once, also wrongly.
   * @param answer.username the name in the answer, if any
   */
  async function signIn<T>(
    {
      session,
      username,
      assertion,
    }: { session: string; username?: string | undefined; assertion: AssertionResponse },
    onSuccess: (tx: Database, user: LocalUser, now: Date) => Promise<T>,
  ): Promise<T> {
    const pending = challengeSessions.open([SIGN_IN], signInState, session, username);
    return commitAttempt(db, async (tx) => {
      const now = clock();
      if (!(await sessionRepository.useHandshake(tx, pending.id, pending.expiresAt))) {
        return cognitoErrors.handshakeUsed();
      }
      const owner = await passkeyRepository.findOwner(tx, assertion.id);
      const isOfUser = owner !== undefined && (pending.userId === '' || owner === pending.userId);
      const user = isOfUser ? await users.lockLocalUser(tx, owner) : undefined;
      const passkey = user && (await passkeyRepository.lock(tx, assertion.id));
      const counter = passkey && (await verifyAssertion(passkey, assertion, pending.state.challenge));
      if (!user || !passkey || counter === undefined) {
        // An event must not refer to a user who was deleted at the same time.
        const userId = isOfUser ? user?.id : owner;
        const details = { method: 'passkey' };
        await recordAuditEvent(tx, { type: 'sign_in_failed', userId, details });
        return cognitoErrors.passkeyInvalid();
      }
      await passkeyRepository.markUsed(tx, passkey.id, counter, now);
      return getSignInError(user) ?? onSuccess(tx, user, now);
    });
  }

  return {
    isAvailableAt,
    startRegistration,
    completeRegistration,
    listPasskeys,
    deletePasskey,
    createChallenge,
    signIn,
  };
}

export type PasskeyService = ReturnType<typeof createPasskeyService>;
