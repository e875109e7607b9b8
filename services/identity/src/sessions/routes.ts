import { AppError, identityApi } from '@escucho/contracts';
import { createRouter } from '@escucho/service-kit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Fault, faults } from '../faults.ts';
import type { Tokens } from '../tokens/tokens.ts';
import { sessionOnTheWire } from './presenter.ts';
import type { Sessions } from './service.ts';

const expired = faults.accessExpired().message;

/** Where somebody is signed in, and signing out there: our own endpoints, below the provider's address. */
export function registerSessions(
  app: FastifyInstance,
  { sessions, tokens }: { sessions: Sessions; tokens: Tokens },
): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'access-control-allow-origin': '*', 'cache-control': 'no-store' });
  });

  async function authenticate(request: FastifyRequest) {
    const token = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
    if (token === undefined) throw new AppError('unauthorized');
    try {
      const claims = await tokens.readAccessToken(token);
      const { id: accountId } = await sessions.ownerOf(claims);
      return { accountId, sessionId: claims.origin_jti };
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      throw new AppError(error.message === expired ? 'token_expired' : 'unauthorized');
    }
  }
  const route = createRouter(app, { authenticate });

  route(identityApi.sessions.listSessions).handle(async ({ user }) => {
    const found = await sessions.list(user.accountId);
    return { docs: found.map((session) => sessionOnTheWire(session, user.sessionId)) };
  });

  route(identityApi.sessions.revokeSession).handle(async ({ user, params }) => {
    if (!(await sessions.end(params.id, user.accountId))) throw new AppError('not_found');
    return {};
  });

  route(identityApi.sessions.revokeOtherSessions).handle(async ({ user }) => {
    await sessions.endOthers(user.sessionId, user.accountId);
    return {};
  });
}
