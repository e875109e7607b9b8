import { parseDevice } from '@escucho/audit';
import { AppError, type Endpoint, identityApi, type Session as SessionDto } from '@escucho/contracts';
import { createRouter, getBearerToken } from '@escucho/service-kit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { CognitoError, cognitoErrors } from '../errors.ts';
import { isRecentSignIn, type TokenService } from '../tokens/service.ts';
import type { Session } from './repository.ts';
import type { SessionService } from './service.ts';

const expiredMessage = cognitoErrors.accessTokenExpired().message;

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
  { sessions, tokens, clock }: { sessions: SessionService; tokens: TokenService; clock: () => Date },
): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'access-control-allow-origin': '*', 'cache-control': 'no-store' });
  });

  async function authenticate(request: FastifyRequest, { requiresRecentSignIn }: Endpoint) {
    const token = getBearerToken(request);
    if (token === undefined) throw new AppError('unauthorized');
    const { claims, id } = await verifyToken(token);
    if (requiresRecentSignIn && !isRecentSignIn(claims, clock()))
      throw new AppError('reauthentication_required');
    return { id, sessionId: claims.origin_jti };
  }

  async function verifyToken(token: string) {
    try {
      const claims = await tokens.verifyAccessToken(token);
      const { id } = await sessions.getTokenOwner(claims);
      return { id, claims };
    } catch (error) {
      if (!(error instanceof CognitoError)) throw error;
      throw new AppError(error.message === expiredMessage ? 'token_expired' : 'unauthorized');
    }
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
