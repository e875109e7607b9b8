import { randomUUID } from 'node:crypto';
import { maskEmail } from '@escucho/audit';
import * as z from 'zod/mini';
import type { Secrets } from '../crypto.ts';
import { cognitoErrors } from '../errors.ts';
import { normalizeUsername } from '../users/policy.ts';

/** A response that asks for the next step of a sign-in. */
export interface ChallengeResponse {
  ChallengeName: string;
  ChallengeParameters: Record<string, string>;
  Session: string;
}

/** Returns the parameters of a challenge whose code was mailed, with the address masked. */
export const toDeliveryParameters = (address: string) => ({
  CODE_DELIVERY_DELIVERY_MEDIUM: 'EMAIL',
  CODE_DELIVERY_DESTINATION: maskEmail(address),
});

const envelope = z.object({
  id: z.string(),
  name: z.string(),
  /** Undefined while any user may answer. */
  userId: z.optional(z.string()),
  /** The username of the first request, in lower case. */
  username: z.string(),
  /** Milliseconds since the epoch. */
  expiresAt: z.number(),
  state: z.unknown(),
});

/** The state of a challenge that needs none. */
export const noState = z.object({});

interface NewChallenge {
  name: string;
  userId?: string;
  username: string;
  state: object;
  lifetimeMs: number;
}

/** The state of a sign-in between two requests. */
export interface PendingChallenge<State> {
  id: string;
  name: string;
  /** Empty while any user may answer. */
  userId: string;
  username: string;
  expiresAt: Date;
  state: State;
}

/**
 * Creates access to the Sessions of challenges. A Session is the encrypted state of the sign-in, so that any process can
 * handle the answer. Whoever accepts an answer marks its `id` as used.
 */
export function createChallengeSessions({ secrets, clock }: { secrets: Secrets; clock: () => Date }) {
  const context = 'challenge';

  function seal({ lifetimeMs, username, ...rest }: NewChallenge): string {
    const expiresAt = clock().getTime() + lifetimeMs;
    const challenge = { ...rest, username: normalizeUsername(username), id: randomUUID(), expiresAt };
    const plain = Buffer.from(JSON.stringify(challenge));
    return secrets.encrypt('handshake', context, plain).toString('base64url');
  }

  /**
   * Opens a Session.
   * @param names the challenges it may belong to
   * @param username the name in the answer, if it has one: the user's id or the name of the first request
   * @throws NotAuthorizedException where it belongs to another challenge or user, or has expired
   */
  function open<State>(
    names: readonly string[],
    schema: z.ZodMiniType<State>,
    session: string,
    username?: string,
  ): PendingChallenge<State> {
    const plain = secrets.decrypt('handshake', context, Buffer.from(session, 'base64url'));
    const pending = plain && envelope.parse(JSON.parse(plain.toString()));
    if (!pending || !names.includes(pending.name)) throw cognitoErrors.handshakeInvalid();
    const { userId = '', state, ...rest } = pending;
    const isNamed = username !== undefined && pending.userId !== undefined;
    if (isNamed && ![userId, pending.username].includes(normalizeUsername(username))) {
      throw cognitoErrors.handshakeInvalid();
    }
    const expiresAt = new Date(pending.expiresAt);
    if (expiresAt <= clock()) throw cognitoErrors.handshakeExpired();
    return { ...rest, userId, expiresAt, state: schema.parse(state) };
  }

  return { seal, open };
}

export type ChallengeSessions = ReturnType<typeof createChallengeSessions>;
