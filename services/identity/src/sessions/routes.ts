import { parseDevice } from '@escucho/audit';
import {
  AppError,
  type Endpoint,
  type ErrorCode,
  identityApi,
  type Session as SessionDto,
} from '@escucho/contracts';
import { createRouter, getBearerToken } from '@escucho/service-kit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { CognitoError, cognitoErrors } from '../errors.ts';
import type { OwnerLookup } from '../users/account-service.ts';
import type { Session } from './repository.ts';
import type { SessionService } from './service.ts';

const errorCodes = new Map<string, ErrorCode>([
  [cognitoErrors.accessTokenExpired().message, 'token_expired'],
  [cognitoErrors.reauthenticationRequired().message, 'reauthentication_required'],
]);

function toSessionDto(session: Session, currentId: string): SessionDto {
  return {
    id: session.id,
    device: parseDevice(session.userAgent),
    signedInAt: session.signedInAt.toISOString(),
    usedAt: session.lastUsedAt.toISOString(),
    expiresAt: session.expiresAt.toISOString(),
    isCurrent: session.id === currentId,
  };
}

/** Registers the product's own endpoints that list and revoke a user's sessions. */
export function registerSessions(
  app: FastifyInstance,
  { sessions, getOwner }: { sessions: SessionService; getOwner: OwnerLookup },
): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'access-control-allow-origin': '*', 'cache-control': 'no-store' });
  });

  async function authenticate(request: FastifyRequest, { requiresRecentSignIn }: Endpoint) {
    const token = getBearerToken(request);
    if (token === undefined) throw new AppError('unauthorized');
    const owner = await getOwner(token, { isSensitive: requiresRecentSignIn }).catch((error: unknown) => {
      if (!(error instanceof CognitoError)) throw error;
      throw new AppError(errorCodes.get(error.message) ?? 'unauthorized');
    });
    return { id: owner.user.id, sessionId: owner.sessionId };
  }

  const route = createRouter(app, { authenticate });

  route(identityApi.listSessions).handle(async ({ user }) => {
    const active = await sessions.listSessions(user.id);
    return { docs: active.map((session) => toSessionDto(session, user.sessionId)) };
  });

  route(identityApi.revokeSession).handle(async ({ user, params }) => {
    if (!(await sessions.revokeSession(params.id, user.id))) throw new AppError('not_found');
    return {};
  });

  route(identityApi.revokeOtherSessions).handle(async ({ user }) => {
    await sessions.revokeSessions(user.id, user.sessionId);
    return {};
  });
}
