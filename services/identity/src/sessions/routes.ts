import { AppError, identityApi, type Session as SessionDto } from '@escucho/contracts';
import { createRouter } from '@escucho/service-kit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { getBearer } from '../caller.ts';
import { CognitoError, cognitoErrors } from '../errors.ts';
import type { TokenService } from '../tokens/service.ts';
import type { Session } from './repository.ts';
import type { SessionService } from './service.ts';

const expiredMessage = cognitoErrors.accessTokenExpired().message;

function toSessionDto(session: Session, currentId: string): SessionDto {
  return {
    id: session.id,
    agent: session.userAgent,
    signedInAt: session.signedInAt.toISOString(),
    usedAt: session.lastUsedAt.toISOString(),
    expiresAt: session.expiresAt.toISOString(),
    isCurrent: session.id === currentId,
  };
}

/** Registers the product's own endpoints that list and revoke a user's sessions. */
export function registerSessions(
  app: FastifyInstance,
  { sessions, tokens }: { sessions: SessionService; tokens: TokenService },
): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'access-control-allow-origin': '*', 'cache-control': 'no-store' });
  });

  async function authenticate(request: FastifyRequest) {
    const token = getBearer(request);
    if (token === undefined) throw new AppError('unauthorized');
    try {
      const claims = await tokens.verifyAccessToken(token);
      const { id: accountId } = await sessions.getTokenOwner(claims);
      return { accountId, sessionId: claims.origin_jti };
    } catch (error) {
      if (!(error instanceof CognitoError)) throw error;
      throw new AppError(error.message === expiredMessage ? 'token_expired' : 'unauthorized');
    }
  }
  const route = createRouter(app, { authenticate });

  route(identityApi.sessions.listSessions).handle(async ({ user }) => {
    const active = await sessions.listSessions(user.accountId);
    return { docs: active.map((session) => toSessionDto(session, user.sessionId)) };
  });

  route(identityApi.sessions.revokeSession).handle(async ({ user, params }) => {
    if (!(await sessions.revokeSession(params.id, user.accountId))) throw new AppError('not_found');
    return {};
  });

  route(identityApi.sessions.revokeOtherSessions).handle(async ({ user }) => {
    await sessions.revokeSessions(user.accountId, user.sessionId);
    return {};
  });
}
